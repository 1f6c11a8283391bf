"""The page docs/naoqi-api.md, written from the members a served robot offers."""

from collections import Counter

from naoqi_api import tables

HEAD = """# The simulated NAO compared with the real one

This page counts the methods, signals and properties of the simulated NAO's services that are the same as on a real NAO.
[test_naoqi_conformance.py](../simulator/tests/python3/test_naoqi_conformance.py) writes and checks it. It asks every
service over libqi for its `metaObject`, and compares that with [tables of the real
API](../simulator/tests/naoqi_api/SOURCES.md).

| column | meaning |
| --- | --- |
| equal | parameters and return type are the same |
| near | it accepts the same calls, with a difference: see [the differences](#differences) |
| missing | only the real service has it: a call fails, as on a robot without it. See [the reasons](#missing-members) |

A service is asked on a Pepper with NAOqi 2.5, or else on a NAO with 2.1 or 2.8. The methods of every module count for
each of them. Private methods, whose names begin with `_`, are not counted.
"""


DOCUMENTED = """## Documented methods

The documentation of NAOqi 2.1.4 describes {all} methods of these services. The simulated NAO has {served} of them.
These are missing:
"""

INFERRED = """\
{count} of these members have no source that shows them (`inferred` in [the
sources](../simulator/tests/naoqi_api/SOURCES.md)). {called} are known only from public behaviours and scripts that call
them (`called`). The inferred members by service:
"""


def page(outcomes):
    lines = [
        HEAD,
        *_services(outcomes),
        *_documented(outcomes),
        *_sure(outcomes),
        "## Differences\n",
        *_near(outcomes),
        "## Missing members\n",
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


def undocumented(outcomes):
    """List the documented methods that no service has: (service, name)."""
    served = {(one.service, member.name) for one in outcomes for member in one.equal + one.tolerated}
    names = tables.documented()
    return [
        (one.service, name)
        for one in outcomes
        for name in names.get(one.service, ())
        if (one.service, name) not in served
    ]


def _documented(outcomes):
    """Count the documented methods, and list those that no service has with the reason."""
    listed = {(table, name): why for (table, _, name, _), why in tables.missing().items()}
    whole = sum(len(tables.documented().get(one.service, ())) for one in outcomes)
    gaps, by_reason = undocumented(outcomes), {}
    for service, name in gaps:
        by_reason.setdefault(listed[service, name], []).append(f"`{service}.{name}`")
    rows = [f"| {', '.join(names)} | {why} |" for why, names in by_reason.items()]
    head = ["| methods | reason |", "| --- | --- |"]
    return [DOCUMENTED.format(all=whole, served=whole - len(gaps)), *head, *rows, ""]


def _sure(outcomes):
    """List the services with members that no source at hand shows, and those members except the members of a base."""
    found = {one.service: [row for row in tables.rows(one.service) if row.sure == "inferred"] for one in outcomes}
    called = sum(row.sure == "called" for one in outcomes for row in tables.rows(one.service))
    lines = ["## Inferred members\n", INFERRED.format(count=sum(map(len, found.values())), called=called)]
    for service, rows in found.items():
        own = sorted({row.member.name for row in rows if row.table == service})
        if own:
            lines.append(f"- {service}: {', '.join(own)}.")
    return [*lines, ""]


def _near(outcomes):
    served = {(owner, *member[:3]) for one in outcomes for member in one.tolerated for owner in (one.service, "*")}
    by_reason: dict[str, list[str]] = {}
    for key, why in sorted(tables.differences().items()):
        if key in served:
            owner = "every service" if key[0] == "*" else key[0]
            by_reason.setdefault(why, []).append(f"`{owner}.{key[2]}{key[3]}`")
    rows = [f"| {why} | {', '.join(members)} |" for why, members in by_reason.items()]
    return ["| difference | members |", "| --- | --- |", *rows, ""]


def _missing(outcomes):
    listed = tables.missing()
    reasons = Counter(listed[(row.table, *row.member[:3])] for one in outcomes for row in one.missing)
    rows = [f"| {count} | {why} |" for why, count in reasons.most_common()]
    return ["| members | reason |", "| ---: | --- |", *rows, ""]
