"""A topic with every feature that the example of a new dialog in Choregraphe shows, in words of our own."""

from __future__ import absolute_import, division, print_function

EXAMPLE = r"""topic: ~Example()
language: enu

# What people say, by what they mean.
concept:(agree) [yes sure "of course" "all right" okay]
concept:(refuse) [no nope "no way" "not now"]
concept:(welcome) [hello hi hey "good morning"]
concept:(well) [fine well great "very good"]
concept:(unwell) [bad tired "not so good"]
concept:(farewell) ["see you" bye "good bye"]
concept:(again) [pardon "say that again"]

# A gesture while speaking, a random member of a concept, and a jump to a tag.
u:(~welcome)
    ^start(animations/Stand/Gestures/Hey_1) ~welcome ^wait(animations/Stand/Gestures/Hey_1) ^gotoReactivate(mood)
u:(how are you) ^startTag(myself) I am well. And you, ^gotoReactivate(mood)

# A question with what may follow it.
proposal: %mood how do you feel?
    u1:(~well) I am glad. ^gotoReactivate(tea)
    u1:(~unwell) That is a pity. ^nextProposal
    u1:(~again) Once more: ^sameProposal

proposal: Some rest will help. ^nextProposal

# An output of the box.
proposal: %play Shall we play a game?
    u1:(~agree) Here we go. $game=1
    u1:(~refuse) Another time.

# What was heard is said again.
proposal: %tea Do you take tea with milk or with lemon?
    u1:(_[milk lemon]) Tea with $1 is good. $drink=$1 ^gotoReactivate(play)
    u1:(_*) I do not know $1. ^sameProposal

u:(~again) Once more: ^sameProposal
u:(thank you) Not at all.
u:(e:LeftBumperPressed) \rspd=90\ Something touched my left foot!
u:(~farewell) ~farewell $onStopped=1
"""
