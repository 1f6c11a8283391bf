"""Every attack in its short form: nothing may break."""

import pytest

from attack.catalogue import ATTACKS


@pytest.mark.parametrize("attack", [attack for attack in ATTACKS if attack.short], ids=lambda attack: attack.name)
def test_nothing_breaks(attack, tmp_path):
    outcome = attack.rounds(attack.short, 1, tmp_path)
    assert outcome.tried >= attack.short and outcome.faults == []
