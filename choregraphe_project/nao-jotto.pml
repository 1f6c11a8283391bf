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
    </Resources>
    <Topics>
        <Topic name="jotto_answers_enu" src="jotto_answers/jotto_answers_enu.top" topicName="jotto_answers" language="en_US" />
    </Topics>
    <IgnoredPaths>
        <Path src=".metadata" />
    </IgnoredPaths>
</Package>
