"""Every attack in its short form finds no fault."""

import pytest

from attack.run import ATTACKS


@pytest.mark.parametrize("attack", [attack for attack in ATTACKS if attack.short], ids=lambda attack: attack.name)
def test_an_attack_finds_no_fault(attack, tmp_path):
    outcome = attack.rounds(attack.short, 1, tmp_path)
    assert outcome.tried >= attack.short and outcome.faults == []
