<?xml version="1.0" encoding="UTF-8" ?>
<Package name="nao-jotto" format_version="4">
    <Manifest src="manifest.xml" />
    <BehaviorDescriptions>
        <BehaviorDescription name="behavior" src="behavior_1" xar="behavior.xar" />
    </BehaviorDescriptions>
    <Dialogs>
        <Dialog name="jotto_answers" src="jotto_answers/jotto_answers.dlg" />
    </Dialogs>
    <Resources>
        <File name="icon" src="icon.png" />
        <File name="__init__" src="lib/jotto/__init__.py" />
        <File name="belief" src="lib/jotto/belief.py" />
        <File name="blocklist" src="lib/jotto/blocklist.py" />
        <File name="blocks" src="lib/jotto/blocks.py" />
        <File name="chance" src="lib/jotto/chance.py" />
        <File name="deduction" src="lib/jotto/deduction.py" />
        <File name="errors" src="lib/jotto/errors.py" />
        <File name="explain" src="lib/jotto/explain.py" />
        <File name="feedback" src="lib/jotto/feedback.py" />
        <File name="game" src="lib/jotto/game.py" />
        <File name="index" src="lib/jotto/index.py" />
        <File name="riddle" src="lib/jotto/riddle.py" />
        <File name="roster" src="lib/jotto/roster.py" />
        <File name="rules" src="lib/jotto/rules.py" />
        <File name="strategies" src="lib/jotto/strategies.py" />
        <File name="tree" src="lib/jotto/tree.py" />
        <File name="treefile" src="lib/jotto/treefile.py" />
        <File name="versions" src="lib/jotto/versions.py" />
        <File name="wordlist" src="lib/jotto/wordlist.py" />
        <File name="__init__" src="lib/jotto_behaviour/__init__.py" />
        <File name="actions" src="lib/jotto_behaviour/actions.py" />
        <File name="answer_window" src="lib/jotto_behaviour/answer_window.py" />
        <File name="box_controller" src="lib/jotto_behaviour/box_controller.py" />
        <File name="conversation" src="lib/jotto_behaviour/conversation.py" />
        <File name="ears" src="lib/jotto_behaviour/ears.py" />
        <File name="explaining" src="lib/jotto_behaviour/explaining.py" />
        <File name="face" src="lib/jotto_behaviour/face.py" />
        <File name="giving_up" src="lib/jotto_behaviour/giving_up.py" />
        <File name="going_back" src="lib/jotto_behaviour/going_back.py" />
        <File name="guessing" src="lib/jotto_behaviour/guessing.py" />
        <File name="hearing" src="lib/jotto_behaviour/hearing.py" />
        <File name="lines" src="lib/jotto_behaviour/lines.py" />
        <File name="lines_en" src="lib/jotto_behaviour/lines_en.json" />
        <File name="memory" src="lib/jotto_behaviour/memory.py" />
        <File name="mind" src="lib/jotto_behaviour/mind.py" />
        <File name="mouth" src="lib/jotto_behaviour/mouth.py" />
        <File name="notebook" src="lib/jotto_behaviour/notebook.py" />
        <File name="resources" src="lib/jotto_behaviour/resources.py" />
        <File name="riddle_actions" src="lib/jotto_behaviour/riddle_actions.py" />
        <File name="roles" src="lib/jotto_behaviour/roles.py" />
        <File name="services" src="lib/jotto_behaviour/services.py" />
        <File name="settings" src="lib/jotto_behaviour/settings.py" />
        <File name="start_controller" src="lib/jotto_behaviour/start_controller.py" />
        <File name="states" src="lib/jotto_behaviour/states.py" />
        <File name="talk" src="lib/jotto_behaviour/talk.py" />
        <File name="touch" src="lib/jotto_behaviour/touch.py" />
        <File name="transitions" src="lib/jotto_behaviour/transitions.py" />
        <File name="trees" src="lib/jotto_behaviour/trees.py" />
        <File name="blocked" src="lib/wordlists/blocked.sha256" />
        <File name="en" src="lib/wordlists/en.tree" />
        <File name="en" src="lib/wordlists/en.tsv" />
    </Resources>
    <Topics>
        <Topic name="jotto_answers_enu" src="jotto_answers/jotto_answers_enu.top" topicName="jotto_answers" language="en_US" />
    </Topics>
    <IgnoredPaths>
        <Path src=".metadata" />
    </IgnoredPaths>
</Package>
