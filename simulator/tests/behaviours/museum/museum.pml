<?xml version="1.0" encoding="UTF-8" ?>
<Package name="Museum guide" format_version="4">
    <Manifest src="manifest.xml" />
    <BehaviorDescriptions>
        <BehaviorDescription name="behavior" src="menu" xar="behavior.xar" />
        <BehaviorDescription name="behavior" src="rooms/statues" xar="behavior.xar" />
        <BehaviorDescription name="behavior" src="talk" xar="behavior.xar" />
    </BehaviorDescriptions>
    <Dialogs>
        <Dialog name="Visitors" src="Visitors/Visitors.dlg" />
    </Dialogs>
    <Resources />
    <Topics>
        <Topic name="Visitors_enu" src="Visitors/Visitors_enu.top" topicName="Visitors" language="en_US" />
    </Topics>
    <IgnoredPaths>
        <Path src=".metadata" />
    </IgnoredPaths>
    <Translations auto-fill="en_US">
        <Translation name="translation_en_US" src="translations/translation_en_US.ts" language="en_US" />
        <Translation name="translation_fr_FR" src="translations/translation_fr_FR.ts" language="fr_FR" />
    </Translations>
</Package>
