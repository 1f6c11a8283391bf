<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">

    <context>
        <name>menu/behavior.xar:/Ask</name>
        <message>
            <source>Shall we begin?</source>
            <comment>Text</comment>
            <translation type="vanished">Non</translation>
        </message>
    </context>
</TS>
