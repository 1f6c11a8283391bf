"""The Datalog dialect: programs and answers, errors and their places; no text reaches files or the system."""

import contextlib
import itertools
import threading

import pytest
from hypothesis import given, strategies as st

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


FAMILY = "after(a,b). before(X,Y):-after(Y,X)."
REACH = "e(a,b). e(b,c). t(X,Y) :- e(X,Y). t(X,Z) :- t(X,Y), e(Y,Z)."


@pytest.mark.parametrize(
    "text, query, answers",
    [
        pytest.param(FAMILY, "before(X,Y)?", "before(b, a)", id="a rule"),
        pytest.param(FAMILY, "before(b,Y)", "before(b, a)", id="a constant asked, no question mark"),
        pytest.param(FAMILY, "before(a,Y)?", "", id="nothing found"),
        pytest.param(FAMILY, "nothing(X)?", "", id="a predicate nobody defined"),
        pytest.param("null.", "null?", "null", id="zero terms"),
        pytest.param("null :- zero.", "null?", "", id="zero terms, not so"),
        pytest.param("n(1). n(22). m(X) :- n(X), X != 1.", "m(X)?", "m(22)", id="digits"),
        pytest.param("n(01). m(X) :- n(X), X = 1.", "m(X)?", "", id="01 is not 1"),
        pytest.param("größe(éléphant, 象).", "größe(X, 象)?", "größe(éléphant, 象)", id="letters of any alphabet"),
        pytest.param("p(a). q(Émile) :- p(Émile).", "q(X)?", "q(a)", id="a capital of any alphabet"),
        pytest.param("p(a). p(a,b). p.", "p(X)?", "p(a)", id="overloading"),
        pytest.param("p(a). p(b). q(a). r(X) :- p(X), not q(X).", "r(X)?", "r(b)", id="not"),
        pytest.param("p(a). r(X) :- p(X), not q(_).", "r(X)?", "r(a)", id="not, whatever it is"),
        pytest.param("p(a). p(b). r(X,Y) :- p(X), Y = X.", "r(a,Z)?", "r(a, a)", id="equal"),
        pytest.param("r(X,Y) :- X = Z, Z = Y, Y = a.", "r(X,Y)?", "r(a, a)", id="equal through a chain"),
        pytest.param("p(a,b). p(c,c).", "p(X,X)?", "p(c, c)", id="a repeated variable"),
        pytest.param("p(a,b). p(c,c).", "p(_,_)?", "p(a, b) p(c, c)", id="anything, twice"),
        pytest.param("% p(x).\np(a). % p(b).\n%", "p(X)?", "p(a)", id="comments"),
        pytest.param(REACH, "t(a,X)?", "t(a, b) t(a, c)", id="recursion"),
        pytest.param("a_g(_x) :- q(_x). q(a_b).", "a_g(X)?", "a_g(a_b)", id="an underscore in a name"),
        pytest.param("p(a). p(a). p(X) :- p(X).", "p(X)?", "p(a)", id="a rule twice"),
    ],
)
def test_programs_and_their_answers(base, text, query, answers):
    base.append(text)
    assert " ".join(base.ask(query)) == answers


@pytest.mark.parametrize(
    "text, line, column, reason",
    [
        ("p(a).\nq(a) ~ r.", 2, 6, "is unknown here"),
        ('p("a").', 1, 3, "is unknown here"),
        ("p(1..3).", 1, 4, "takes ')'"),
        ("p(a). p(X) :- X = 1..3.", 1, 21, "found '.'"),
        ("p(1+1).", 1, 4, "is unknown here"),
        ("p(-1).", 1, 3, "is unknown here"),
        ("{p(a)}.", 1, 1, "is unknown here"),
        (":- p(a).", 1, 1, "begins with an atom"),
        ("p(f(a)).", 1, 4, "takes ')'"),
        ("p(a)", 1, 5, "the end of the text"),
        ("p(", 1, 3, "the end of the text"),
        ("p().", 1, 3, "a variable or a constant"),
        ("p(a) :- .", 1, 9, "A condition is"),
        ("p(a). p(X)?", 1, 11, "a knowledge base cannot contain a query"),
        ("P(a).", 1, 1, "begins with a small letter"),
        ("1p(a).", 1, 1, "begins with a small letter"),
        ("not(a).", 1, 1, "cannot be a predicate"),
        ("p(not).", 1, 3, "a variable or a constant"),
        ("\n  p(X).", 2, 5, "'X' of the head is unsafe"),
        ("p(a).\nq(a) :- p(a), not r(Y).", 2, 21, "'Y' behind 'not' is unsafe"),
        ("q(a) :- p(a), X != a.", 1, 15, "'X' of a comparison is unsafe"),
        ("q(X) :- X = Y.", 1, 3, "'X' of the head is unsafe"),
        ("q(_) :- p(_).", 1, 3, "'_' of the head is unsafe"),
        ("p(a) :- not p(a).", 1, 13, "'p' is not stratified"),
        ("p(a).\nq(X) :- p(X), r(X).\nr(X) :- p(X), not q(X).", 3, 19, "not stratified"),
        (f"p({'a' * 81}).", 1, 3, "more than 80 characters"),
        (f"p({', '.join('a' * 21)}).", 1, 63, "more than 20 terms"),
        (f"p :- {', '.join(['q'] * 41)}.", 1, 126, "more than 40 conditions"),
        ("p(\ud800).", 1, 3, "is unknown here"),
        ("p(a\0b).", 1, 4, "is unknown here"),
        (" " * 1_000_001, 0, 0, "1,000,001 characters are too many"),
    ],
)
def test_errors_name_line_column_and_reason(base, text, line, column, reason):
    with pytest.raises(DatalogError) as refused:
        base.append(text)
    said = str(refused.value)
    assert reason in said and said.isprintable() and base.version is None
    if line:
        assert (refused.value.line, refused.value.column) == (line, column)
        assert said.startswith(f"Line {line}, column {column}: ")


def test_a_later_text_may_not_close_a_circle_and_a_query_is_one_atom(evaluator, base):
    base.append("p(a). q(X) :- p(X), not r(X).")
    with pytest.raises(DatalogError, match=r"Line 1, column 9: .*not stratified"):
        base.append("r(X) :- q(X).")
    assert base.ask("q(X)") == ["q(a)"] and base.version.text == "p(a). q(X) :- p(X), not r(X)."
    for query in ("", "?", "p(X), q(X)?", "not p(X)?", "p(X)??", "p(X) :- q(X).", "X = a?", "p(a).", "P?"):
        with pytest.raises(DatalogError, match="Line 1, column"):
            base.ask(query)
            raise AssertionError(query)
    # A long chain of rules.
    chain = KnowledgeBase(evaluator, Store())
    chain.append("p0(a). " + "".join(f"p{number + 1}(X) :- p{number}(X). " for number in range(1500)))
    assert chain.ask("p1500(X)") == ["p1500(a)"]


def test_no_text_reads_a_file(base, tmp_path):
    file = tmp_path / "found.lp"
    file.write_text("the_secret(a).\n")
    base.append("p(a).")
    # Texts that make clingo read a file or run a program.
    for directive in [
        '#include "{file}".',
        "#include<{file}>.",
        '#script(python)\nopen("{file}")\n#end.',
        "#script(lua)\n#end.",
        'p(@open("{file}")).',
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
        "#const n = 3.",
        "p(a;b).",
        "1{{p(a)}}1.",
    ]:
        for read in (base.append, base.ask):
            with pytest.raises(DatalogError) as refused:
                read(directive.format(file=file))
            assert "the_secret" not in str(refused.value), directive
    assert base.ask("the_secret(X)?") == [] and base.version.text == "p(a)."


@given(st.text('abcnopqtxyz_%#"@&{}();:.,0129 \n-', max_size=30), st.sampled_from(["p({}).", "{}(a).", "% {}", "{}"]))
def test_only_numbers_reach_clingo(word, shape):
    try:
        program = datalog.parse_program(shape.format(word))
        datalog.check_safe(program)
    except DatalogError:
        return
    assert not set(datalog.NameNumbering().format_clauses(program.clauses)) - set("pV0123456789(),.:-=!_not \n")


PIECES = [*"pqXYa1,.%\n?é(){_=", "q(", ":-", "not ", "!=", "p(a).", "p(X)", ":- q(X)", "#include", '"', "..", "\0"]
PIECES += ["\ud800", "\U0001d4b3", "\u01c5", "\u00b2", "\u0663"]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    for read in (datalog.parse_program, datalog.parse_query):
        try:
            found = read(text)
        except DatalogError as error:
            lines = text.split("\n")
            assert 1 <= error.line <= len(lines) and 1 <= error.column <= len(lines[error.line - 1]) + 1
        else:
            assert found == read(text)


@st.composite
def programs(draw):
    """Make sound and unsound programs of few names."""
    terms, names = st.sampled_from(["X", "Y", "a", "b", "_"]), st.sampled_from("pqr")
    inside = st.lists(terms, max_size=2).map(lambda few: f"({', '.join(few)})" if few else "")
    atoms = st.builds("{}{}".format, names, inside)
    compared = st.builds("{} {} {}".format, terms, st.sampled_from(["=", "!="]), terms)
    bodies = st.lists(atoms | atoms.map("not {}".format) | compared, max_size=3).map(", ".join)
    clause = st.builds(lambda head, body: f"{head} :- {body}." if body else f"{head}.", atoms, bodies)
    return "\n".join(draw(st.lists(clause, max_size=6)))


@given(programs())
def test_evaluation_agrees_with_brute_force(text):
    def insert(terms, values):
        return tuple(values.get(term.text, term.text) for term in terms)

    def holds(held, values, known):
        if isinstance(held, datalog.Equality):
            left, right = insert(held[:2], values)
            return (left == right) is held.is_equal
        wanted = insert(held.atom.terms, values)
        there = any(
            predicate == held.atom.predicate and all(one in ("_", other) for one, other in zip(wanted, row))
            for *name, row in known
            for predicate in [tuple(name)]
        )
        return there is not held.is_negated

    def derive_by_hand(program):
        """Derive all facts: try every value for every variable, one circle of predicates after the other."""
        terms = [term for clause in program.clauses for term in clause.terms]
        world = sorted({"a", *(term.text for term in terms if not term.is_variable)})
        circle = datalog.number_circles(datalog.find_dependencies(program))
        known = set()
        for number in [*sorted(set(circle.values())), None]:
            here = [clause for clause in program.clauses if circle.get(clause.head.predicate) == number]
            size = -1
            while size != len(known):
                size = len(known)
                for clause in here:
                    variables = sorted({term.text for term in clause.terms if term.is_variable} - {"_"})
                    for row in itertools.product(world, repeat=len(variables)):
                        values = dict(zip(variables, row))
                        if all(holds(held, values, known) for held in clause.body):
                            known.add((*clause.head.predicate, insert(clause.head.terms, values)))
        return known

    program = datalog.parse_program(text)
    try:
        datalog.check_safe(program)
        datalog.check_stratified((), program)
    except DatalogError:
        return
    names = datalog.NameNumbering()
    facts = knowledge_base.derive_facts(names.format_clauses(program.clauses), 10_000)
    constants = list(names.constants)
    found = {
        (*predicate, tuple(constants[number] for number in row))
        for predicate, place in names.predicates.items()
        for row in facts.get(f"p{place}", [])
    }
    assert found == derive_by_hand(program)


def test_too_many_clauses_in_a_text_in_a_base_and_too_many_facts(base, monkeypatch):
    with monkeypatch.context() as few:
        few.setattr(datalog, "MAX_CLAUSES", 3)
        with pytest.raises(DatalogError, match="Line 1, column 19: more than 3 facts"):
            base.append("p(a). p(b). p(c). p(d).")
        assert base.version is None
        base.append("p(a). p(b).")
        with pytest.raises(DeskError, match=r"4 facts and rules; .* 3 are the most"):
            base.append("p(c). p(d).")
        assert base.ask("p(X)") == ["p(a)", "p(b)"]
    with contextlib.closing(Evaluator(most=500)) as evaluator:
        base = KnowledgeBase(evaluator, Store())
        base.append("c(0). c(1). c(2). c(3). c(4). c(5). c(6). c(7).")
        with pytest.raises(TooMuch, match="More than 500 facts follow"):
            base.append("code(A,B,C) :- c(A), c(B), c(C).")
        assert len(base.ask("c(X)")) == 8


def test_a_program_without_end_is_stopped_and_the_next_one_is_evaluated():
    """Takes the second that the program is given."""
    with contextlib.closing(Evaluator(seconds=1)) as evaluator:
        base = KnowledgeBase(evaluator, Store())
        everything = ", ".join(f"c(X{number})" for number in range(14))
        base.append("".join(f"c({number}). " for number in range(30)))
        with pytest.raises(TooMuch, match="not computed within 1 seconds"):
            base.append(f"all({', '.join(f'X{number}' for number in range(14))}) :- {everything}.")
        assert len(base.ask("c(X)")) == 30
        evaluator.seconds = 30
        base.append("last :- c(29).")
        assert base.ask("last?") == ["last"]


def test_a_process_that_dies_is_started_again(base, evaluator):
    base.append("p(a).")
    evaluator._quick._process.kill()
    evaluator._quick._process.wait()
    base.append("p(b).")
    assert base.ask("p(X)") == ["p(a)", "p(b)"]


def test_readers_never_wait_for_a_writer(evaluator):
    base = KnowledgeBase(evaluator, Store())
    base.append("p(a).")
    with evaluator._lock:
        writer = threading.Thread(target=base.append, args=("p(b).",))
        writer.start()
        assert base.ask("p(X)") == ["p(a)"]
    writer.join(30)
    assert base.ask("p(X)") == ["p(a)", "p(b)"]
