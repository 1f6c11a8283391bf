<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr_FR">
    <context>
        <name>menu/behavior.xar:/Welcome</name>
        <message>
            <source>Welcome.</source>
            <comment>Text</comment>
            <translation>Bienvenue à tous.</translation>
        </message>
    </context>
    <context>
        <name>menu/behavior.xar:/Bye</name>
        <message>
            <source>Good bye.</source>
            <comment>Text</comment>
            <translation>Au revoir.</translation>
        </message>
    </context>
    <context>
        <name>rooms/statues/behavior.xar:/Inside/Tell</name>
        <message>
            <source>This one has no arms.</source>
            <comment>Text</comment>
            <translation>Celle-ci n'a pas de bras.</translation>
        </message>
    </context>
    <context>
        <name>menu/behavior.xar:/Ask</name>
        <message>
            <source>Shall we begin?</source>
            <comment>Text</comment>
            <translation type="vanished">Non</translation>
        </message>
    </context>
</TS>
