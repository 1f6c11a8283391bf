"""The page docs/naoqi-api.md, written from the members a served robot offers."""

from collections import Counter

from naoqi_api import tables

HEAD = """# What the simulated NAO offers, beside the real one

The simulated robot is served with libqi, as a real NAO is. This page is the result of
[a test](../tests/desk/test_naoqi_conformance.py) that asks every served service what it offers (its `metaObject`) and
compares that with [tables of the real API](../tests/naoqi_api/SOURCES.md): names, parameters, return types, signals.

An overload is *equal* when parameters and return type are the same, *near* when it takes the same calls in another way
(each with its reason below). *Missing* is what the real service has and ours does not: a call to it fails, as it would
on a robot that lacks it. Ten of them are the same in every classic module: task numbers and help texts of NAOqi 1.
Private methods, whose names begin with `_`, are left out.
"""


INFERRED = """\
{count} of these members stand in the tables without a source at hand that shows them (`inferred` in [their
sources](../tests/naoqi_api/SOURCES.md)); {called} are known from public behaviours and scripts alone, which call them
(`called`). The inferred ones by service:
"""


def page(outcomes):
    """Make the page as text."""
    lines = [
        HEAD,
        *_services(outcomes),
        *_sure(outcomes),
        "## Near, and why\n",
        *_near(outcomes),
        "## Missing, and why\n",
        *_missing(outcomes),
    ]
    return "\n".join(lines)


def totals(outcomes):
    """Count the members by outcome, over all services."""
    return {field: sum(len(getattr(one, field)) for one in outcomes) for field in tables.Outcome._fields[1:]}


def _services(outcomes):
    head = ["| service | in the real API | equal | near | missing |", "| --- | ---: | ---: | ---: | ---: |"]
    rows = [
        f"| {one.service} | {len(tables.rows(one.service))} | {len(one.equal)} | {len(one.tolerated)} "
        f"| {len(one.missing)} |"
        for one in outcomes
    ]
    found = totals(outcomes)
    real = sum(len(tables.rows(one.service)) for one in outcomes)
    whole = (
        f"| **{len(outcomes)} services** | **{real}** | **{found['equal']}** | **{found['tolerated']}** "
        f"| **{found['missing']}** |\n"
    )
    return [*head, *rows, whole]


def _sure(outcomes):
    """List the services with members that no source at hand shows, and those members but for what a base has."""
    found = {one.service: [row for row in tables.rows(one.service) if row.sure == "inferred"] for one in outcomes}
    called = sum(row.sure == "called" for one in outcomes for row in tables.rows(one.service))
    lines = ["## Inferred\n", INFERRED.format(count=sum(map(len, found.values())), called=called)]
    for service, rows in found.items():
        own = sorted({row.member.name for row in rows if row.table == service})
        if own:
            lines.append(f"- {service}: {', '.join(own)}.")
    return [*lines, ""]


def _near(outcomes):
    served = {(owner, *member[:3]) for one in outcomes for member in one.tolerated for owner in (one.service, "*")}
    return [
        f"- `{'every service' if key[0] == '*' else key[0]}.{key[2]}{key[3]}`: {why}."
        for key, why in sorted(tables.differences().items())
        if key in served
    ] + [""]


def _missing(outcomes):
    listed = tables.missing()
    reasons = Counter(listed[(row.table, *row.member[:3])] for one in outcomes for row in one.missing)
    return [f"- {count} because {why}." for why, count in reasons.most_common()] + [""]
