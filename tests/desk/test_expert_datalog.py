"""The Datalog dialect: what is read, what is refused and where, and that no text reaches files or the system."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jotto_desk.errors import DeskError
from jotto_desk.expert import datalog, knowledge_base
from jotto_desk.expert.datalog import DatalogError
from jotto_desk.expert.knowledge_base import Evaluator, KnowledgeBase, Store, TooMuch


@pytest.fixture(scope="module")
def evaluator():
    made = Evaluator()
    yield made
    made.close()


@pytest.fixture
def base(evaluator):
    return KnowledgeBase(evaluator, Store())


def ask(base, text, query):
    """Return what a base made of a text answers."""
    base.append(text)
    return base.ask(query)


FAMILY = "after(a,b). before(X,Y):-after(Y,X)."

UNDERSTOOD = {
    "a rule": (FAMILY, "before(X,Y)?", ["before(b, a)"]),
    "a constant asked": (FAMILY, "before(b,Y)?", ["before(b, a)"]),
    "nothing found": (FAMILY, "before(a,Y)?", []),
    "no question mark": (FAMILY, "before(X,Y)", ["before(b, a)"]),
    "a predicate nobody defined": (FAMILY, "nothing(X)?", []),
    "zero terms": ("null.", "null?", ["null"]),
    "zero terms, not so": ("null :- zero.", "null?", []),
    "digits": ("n(1). n(22). m(X) :- n(X), X != 1.", "m(X)?", ["m(22)"]),
    "01 is not 1": ("n(01). m(X) :- n(X), X = 1.", "m(X)?", []),
    "letters of any alphabet": ("größe(éléphant, 象).", "größe(X, 象)?", ["größe(éléphant, 象)"]),
    "a capital of any alphabet": ("p(a). q(Émile) :- p(Émile).", "q(X)?", ["q(a)"]),
    "overloading": ("p(a). p(a,b). p.", "p(X)?", ["p(a)"]),
    "not": ("p(a). p(b). q(a). r(X) :- p(X), not q(X).", "r(X)?", ["r(b)"]),
    "not, whatever it is": ("p(a). r(X) :- p(X), not q(_).", "r(X)?", ["r(a)"]),
    "equal": ("p(a). p(b). r(X,Y) :- p(X), Y = X.", "r(a,Z)?", ["r(a, a)"]),
    "equal through a chain": ("r(X,Y) :- X = Z, Z = Y, Y = a.", "r(X,Y)?", ["r(a, a)"]),
    "a repeated variable": ("p(a,b). p(c,c).", "p(X,X)?", ["p(c, c)"]),
    "anything, twice": ("p(a,b). p(c,c).", "p(_,_)?", ["p(a, b)", "p(c, c)"]),
    "comments": ("% p(x).\np(a). % p(b).\n%", "p(X)?", ["p(a)"]),
    "recursion": ("e(a,b). e(b,c). t(X,Y) :- e(X,Y). t(X,Z) :- t(X,Y), e(Y,Z).", "t(a,X)?", ["t(a, b)", "t(a, c)"]),
    "an underscore in a name": ("api_isa_guess(_x) :- q(_x). q(a_b).", "api_isa_guess(X)?", ["api_isa_guess(a_b)"]),
    "a rule twice": ("p(a). p(a). p(X) :- p(X).", "p(X)?", ["p(a)"]),
}


@pytest.mark.parametrize("text, query, answers", UNDERSTOOD.values(), ids=UNDERSTOOD)
def test_what_is_understood(base, text, query, answers):
    assert ask(base, text, query) == answers


REFUSED = {
    "unknown token": ("p(a).\nq(a) ~ r.", 2, 6, "means nothing here"),
    "string": ('p("a").', 1, 3, "means nothing"),
    "range": ("p(1..3).", 1, 4, "takes ')'"),
    "interval of constants": ("p(a). p(X) :- X = 1..3.", 1, 21, "here stands '.'"),
    "arithmetic": ("p(1+1).", 1, 4, "means nothing"),
    "minus": ("p(-1).", 1, 3, "means nothing"),
    "choice": ("{p(a)}.", 1, 1, "means nothing"),
    "disjunction": ("p(a) ; q(a).", 1, 6, "means nothing"),
    "constraint": (":- p(a).", 1, 1, "begins with an atom"),
    "script": ("#script(python) import os #end.", 1, 1, "means nothing"),
    "const": ("#const n = 3.", 1, 1, "means nothing"),
    "function": ("p(f(a)).", 1, 4, "takes ')'"),
    "pool": ("p(a;b).", 1, 4, "means nothing"),
    "at-term": ("p(@f(a)).", 1, 3, "means nothing"),
    "no end": ("p(a)", 1, 5, "the end of the text"),
    "half an atom": ("p(", 1, 3, "the end of the text"),
    "empty brackets": ("p().", 1, 3, "a variable or a constant"),
    "no body": ("p(a) :- .", 1, 9, "A condition is"),
    "a query inside": ("p(a). p(X)?", 1, 11, "no part of a knowledge base"),
    "predicate with a capital": ("P(a).", 1, 1, "begins with a small letter"),
    "predicate with a digit": ("1p(a).", 1, 1, "begins with a small letter"),
    "not as a name": ("not(a).", 1, 1, "cannot be a predicate"),
    "not as a constant": ("p(not).", 1, 3, "a variable or a constant"),
    "unsafe head": ("\n  p(X).", 2, 5, "'X' of the head is unsafe"),
    "unsafe negation": ("p(a).\nq(a) :- p(a), not r(Y).", 2, 21, "'Y' behind 'not' is unsafe"),
    "unsafe comparison": ("q(a) :- p(a), X != a.", 1, 15, "'X' of a comparison is unsafe"),
    "unsafe equality": ("q(X) :- X = Y.", 1, 3, "'X' of the head is unsafe"),
    "anything in a head": ("q(_) :- p(_).", 1, 3, "'_' of the head is unsafe"),
    "not stratified": ("p(a) :- not p(a).", 1, 13, "'p' is not stratified"),
    "not stratified, a longer way": ("p(a).\nq(X) :- p(X), r(X).\nr(X) :- p(X), not q(X).", 3, 19, "not stratified"),
    "a name too long": (f"p({'a' * 81}).", 1, 3, "more than 80 characters"),
    "too many terms": (f"p({', '.join('a' * 21)}).", 1, 63, "more than 20 terms"),
    "too many conditions": (f"p :- {', '.join(['q'] * 41)}.", 1, 126, "more than 40 conditions"),
    "half a character": ("p(\ud800).", 1, 3, "means nothing"),
    "a zero": ("p(a\0b).", 1, 4, "means nothing"),
}


@pytest.mark.parametrize("text, line, column, reason", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_and_where(base, text, line, column, reason):
    with pytest.raises(DatalogError) as refused:
        base.append(text)
    assert (refused.value.line, refused.value.column) == (line, column), str(refused.value)
    assert str(refused.value).startswith(f"Line {line}, column {column}: ") and reason in str(refused.value)
    assert base.version is None and str(refused.value).isprintable()


def test_a_circle_that_only_a_later_text_closes(base):
    base.append("p(a). q(X) :- p(X), not r(X).")
    with pytest.raises(DatalogError, match=r"Line 1, column 9: .*not stratified"):
        base.append("r(X) :- q(X).")
    assert base.ask("q(X)") == ["q(a)"] and base.version.text == "p(a). q(X) :- p(X), not r(X)."


def test_a_long_chain_is_no_recursion_of_ours(base):
    rules = "".join(f"p{number + 1}(X) :- p{number}(X). " for number in range(3000))
    assert ask(base, "p0(a). " + rules, "p3000(X)") == ["p3000(a)"]


@pytest.mark.parametrize(
    "query", ["", "?", "p(X), q(X)?", "not p(X)?", "p(X)??", "p(X) :- q(X).", "X = a?", "p(a).", "P?"]
)
def test_a_query_is_one_atom(base, query):
    base.append("p(a).")
    with pytest.raises(DatalogError, match="Line 1, column"):
        base.ask(query)


# Files and system

MARK = "the_secret_of_this_file"
DOORS = [
    '#include "{file}".',
    "#include<{file}>.",
    '#script(python)\nopen("{file}")\n#end.',
    "#script(lua)\n#end.",
    'p(@open("{file}")).',
    'p("{file}").',
    "p(a). #show p/1.",
    '#external p("{file}").',
    '&open{{"{file}"}}.',
    "#theory t {{}}.",
    'p :- @read("{file}").',
    "p(`{file}`).",
    "$(cat {file}).",
    'p(a) :- q. %*\n*%#include "{file}".',
    'p(a).\r#include "{file}".',
    'p(a).\u2028#include "{file}".',
    'q(%\n#include "{file}".\n).',
    "p('{file}').",
    "p({file}).",
    "#program base. p.",
    "#defined p/1.",
    "#edge(a,b).",
    "1{{p(a)}}1.",
]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("way", ["post", "query"])
def test_no_text_reads_a_file(base, tmp_path, door, way):
    file = tmp_path / "found.lp"
    file.write_text(f"{MARK}(a).\n")
    text = door.format(file=file)
    base.append("p(a).")
    with pytest.raises(DatalogError) as refused:
        base.append(text) if way == "post" else base.ask(text)
    assert MARK not in str(refused.value)
    assert base.ask(f"{MARK}(X)?") == [] and base.version.text == "p(a)."


@given(
    st.from_regex(r"[a-z_%#\"@&{}();:.,0-9 \n-]{0,30}", fullmatch=True),
    st.sampled_from(["p({}).", "{}(a).", "% {}", "{}"]),
)
def test_what_reaches_clingo_is_numbers_alone(word, shape):
    try:
        program = datalog.parse_program(shape.format(word))
        datalog.check_safe(program)
    except DatalogError:
        return
    assert not set(datalog.NameNumbering().clauses(program.clauses)) - set("pV0123456789(),.:-=!_not \n")


# Bounds

PIECES = [
    "p",
    "q(",
    ")",
    "X",
    "_",
    "a",
    "1",
    ",",
    ".",
    ":-",
    "not ",
    "=",
    "!=",
    "%",
    "\n",
    "?",
    "é",
    "(",
    "p(a).",
    "p(X)",
    ":- q(X)",
    "#include",
    '"',
    "{",
    "..",
    "\0",
    "\ud800",
    "\U0001d4b3",
    "\u01c5",
    "\u00b2",
    "\u0663",
]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(max_size=60))
def test_no_text_breaks_the_reader(text):
    for read in (datalog.parse_program, datalog.parse_query):
        try:
            found = read(text)
        except DatalogError as error:
            lines = text.split("\n")
            assert 1 <= error.line <= len(lines) and 1 <= error.column <= len(lines[error.line - 1]) + 1
        else:
            if read is datalog.parse_program:
                again = datalog.parse_program(text)
                assert found == again


@st.composite
def programs(draw):
    """Make sound and unsound programs of few names."""
    terms = st.sampled_from(["X", "Y", "a", "b", "_"])
    atoms = st.builds(
        lambda name, inside: f"{name}({', '.join(inside)})" if inside else name,
        st.sampled_from("pqr"),
        st.lists(terms, max_size=2),
    )
    conditions = st.one_of(
        atoms,
        atoms.map("not {}".format),
        st.builds("{} = {}".format, terms, terms),
        st.builds("{} != {}".format, terms, terms),
    )
    clause = st.builds(
        lambda head, body: head + (" :- " + ", ".join(body) if body else "") + ".",
        atoms,
        st.lists(conditions, max_size=3),
    )
    return "\n".join(draw(st.lists(clause, max_size=6)))


@settings(max_examples=150)
@given(programs())
def test_every_sound_program_is_worked_out_as_by_hand(text):
    program = datalog.parse_program(text)
    try:
        datalog.check_safe(program)
        datalog.check_stratified((), program)
    except DatalogError:
        return
    names = datalog.NameNumbering()
    facts = knowledge_base.derive_facts(names.clauses(program.clauses), 10_000)
    constants = list(names.constants)
    found = {
        (*predicate, tuple(constants[number] for number in row))
        for predicate, place in names.predicates.items()
        for row in facts.get(f"p{place}", [])
    }
    assert found == by_hand(program)


def by_hand(program):
    """Derive all facts: every value is tried for every variable, one circle of predicates after the other."""
    import itertools

    world = (
        {
            term.text
            for clause in program.clauses
            for atom in atoms_of(clause)
            for term in atom.terms
            if not term.is_variable
        }
        | {
            one.text
            for clause in program.clauses
            for held in clause.body
            if isinstance(held, datalog.Equality)
            for one in held[:2]
            if not one.is_variable
        }
        | {"a"}
    )
    circle = datalog.number_circles(datalog.find_dependencies(program))
    known = set()
    for number in [*sorted(set(circle.values())), None]:
        here = [clause for clause in program.clauses if circle.get(clause.head.predicate) == number]
        size = -1
        while size != len(known):
            size = len(known)
            for clause in here:
                variables = sorted(
                    {
                        term.text
                        for atom in atoms_of(clause)
                        for term in atom.terms
                        if term.is_variable and term.text != "_"
                    }
                    | {
                        term.text
                        for held in clause.body
                        if isinstance(held, datalog.Equality)
                        for term in held[:2]
                        if term.is_variable
                    }
                )
                for row in itertools.product(sorted(world), repeat=len(variables)):
                    values = dict(zip(variables, row))
                    if all(holds(held, values, known) for held in clause.body):
                        known.add(
                            (
                                clause.head.name,
                                len(clause.head.terms),
                                tuple(values.get(term.text, term.text) for term in clause.head.terms),
                            )
                        )
    return known


def atoms_of(clause):
    return [clause.head, *(held.atom for held in clause.body if isinstance(held, datalog.Literal))]


def holds(held, values, known):
    if isinstance(held, datalog.Equality):
        left, right = (values.get(term.text, term.text) for term in held[:2])
        return (left == right) is held.is_equal
    wanted = [values.get(term.text, term.text) for term in held.atom.terms]
    there = any(
        name == held.atom.name and count == len(wanted) and all(one in ("_", other) for one, other in zip(wanted, row))
        for name, count, row in known
    )
    return there is not held.is_negated


def test_too_much_text_and_too_many_clauses(base, monkeypatch):
    with pytest.raises(DatalogError, match="1,000,001 characters are too many"):
        base.append(" " * 1_000_001)
    monkeypatch.setattr(datalog, "MAX_CLAUSES", 3)
    with pytest.raises(DatalogError, match="Line 1, column 19: more than 3 facts"):
        base.append("p(a). p(b). p(c). p(d).")
    assert base.version is None


def test_a_base_that_grows_too_large(base, monkeypatch):
    monkeypatch.setattr("jotto_desk.expert.knowledge_base.MAX_CLAUSES", 3)
    base.append("p(a). p(b).")
    with pytest.raises(DeskError, match=r"4 facts and rules; .* 3 are the most"):
        base.append("p(c). p(d).")
    assert base.ask("p(X)") == ["p(a)", "p(b)"]


def test_too_many_facts_that_follow():
    worker = Evaluator(most=500)
    base = KnowledgeBase(worker, Store())
    try:
        base.append("c(0). c(1). c(2). c(3). c(4). c(5). c(6). c(7).")
        with pytest.raises(TooMuch, match="More than 500 facts follow"):
            base.append("code(A,B,C) :- c(A), c(B), c(C).")
        assert len(base.ask("c(X)")) == 8
    finally:
        worker.close()


def test_a_program_that_never_ends_is_ended_and_the_next_one_is_worked_out():
    """Takes the two seconds that the program is given."""
    worker = Evaluator(seconds=2)
    base = KnowledgeBase(worker, Store())
    everything = ", ".join(f"c(X{number})" for number in range(14))
    try:
        base.append("".join(f"c({number}). " for number in range(30)))
        with pytest.raises(TooMuch, match="not worked out within 2 seconds"):
            base.append(f"all({', '.join(f'X{number}' for number in range(14))}) :- {everything}.")
        assert len(base.ask("c(X)")) == 30
        worker.seconds = 30
        base.append("last :- c(29).")
        assert base.ask("last?") == ["last"]
    finally:
        worker.close()


def test_a_worker_that_dies_is_started_again(base, evaluator):
    base.append("p(a).")
    evaluator._quick._process.kill()
    evaluator._quick._process.wait()
    assert ask(base, "p(b).", "p(X)") == ["p(a)", "p(b)"]


def test_readers_never_wait_for_a_writer(evaluator):
    base = KnowledgeBase(evaluator, Store())
    base.append("p(a).")
    with evaluator._lock:
        writer = threading.Thread(target=base.append, args=("p(b).",))
        writer.start()
        assert base.ask("p(X)") == ["p(a)"]
    writer.join(30)
    assert base.ask("p(X)") == ["p(a)", "p(b)"]
