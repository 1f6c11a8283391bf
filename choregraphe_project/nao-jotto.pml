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
        <Topic name="jotto_answers_frf" src="jotto_answers/jotto_answers_frf.top" topicName="jotto_answers" language="fr_FR" />
        <Topic name="jotto_answers_ged" src="jotto_answers/jotto_answers_ged.top" topicName="jotto_answers" language="de_DE" />
        <Topic name="jotto_answers_spe" src="jotto_answers/jotto_answers_spe.top" topicName="jotto_answers" language="es_ES" />
    </Topics>
    <IgnoredPaths>
        <Path src=".metadata" />
    </IgnoredPaths>
</Package>
