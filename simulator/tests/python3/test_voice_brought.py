"""Models of other languages, which a user brings: checked, kept and used. The English model stands for all."""

import shutil
from pathlib import Path

import pytest

from naosim_voice import brought_model, model, moonshine_recogniser, sound
from naosim_voice.brought_model import bring_model
from naosim_voice.phrases import END, NATIVE_FORMS, PhraseGraph, Tokens
from naosim_voice.recogniser import BEST, PLAIN, Recognised, Vocabulary, VoiceError, open_recogniser

SOUNDS = Path(__file__).with_name("sounds")


@pytest.fixture(scope="module")
def english(tmp_path_factory):
    """Provide the English model in a folder of its own; models that are brought get neighbours of it."""
    folder = tmp_path_factory.mktemp("kept") / "en"
    shutil.copytree(model.fetch_model(), folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NAOSIM_MODEL", str(folder))
        moonshine_recogniser._read_network.cache_clear()
        yield folder
    moonshine_recogniser._read_network.cache_clear()


def hear(ears, language):
    """Return the answers that are heard in a recording of "yes"."""
    ears.open(Vocabulary(("yes", "no", "Y", "N"), language=language))
    events = ears.feed(sound.read(SOUNDS / "yes.wav").pcm + sound.silence(0.6))
    return next(event for event in events if isinstance(event, Recognised)).hypotheses


def test_a_brought_model_listens_to_its_language(english):
    """Takes some seconds: networks are read again when the language changes."""
    assert "de" not in model.list_languages(BEST)
    assert bring_model("de", english) == "MIT License"
    folder = model.find_model("de")
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in english.iterdir())
    assert model.list_languages(BEST)["de"] == "German" and "de" not in model.list_languages(PLAIN)
    ears = open_recogniser(BEST)
    [found] = hear(ears, "de")
    # It knows letters, too, and needs no second recogniser.
    assert found.phrase == "yes" and found.confidence > 0.9 and "Y" in ears._phrases
    ears._second = None
    assert hear(ears, "fr") == () and "Y" not in ears._phrases
    assert hear(ears, "en")[0].phrase == "yes" and hear(ears, "de") == (found,)
    (folder / model.TOKENS).write_bytes(b"damaged")
    hear(ears, "en")
    with pytest.raises(VoiceError, match=r"moonshine-de' cannot be read: .*\. Bring it again, or delete the folder\."):
        hear(ears, "de")


def cut(path):
    """Leave half of a file."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (shutil.rmtree, r"folder '.*brought' cannot be read \(no such file"),
        (lambda folder: (folder / model.DECODER).unlink(), r"brought' lacks decoder_model_merged\.ort: bring a model"),
        (
            lambda folder: (folder / model.ENCODER).rename(folder / "streaming_config.json"),
            r"lacks encoder_model\.ort\. It has a streaming model, which NAO cannot run: bring a model",
        ),
        (lambda folder: (folder / model.TOKENS).write_bytes(b""), r"brought' cannot be read: tokenizer\.bin has no"),
        (lambda folder: cut(folder / model.TOKENS), r"cannot be read: tokenizer\.bin ends in the middle of a token"),
        (lambda folder: cut(folder / model.ENCODER), r"cannot be read: .*\. Get its files again"),
        (lambda folder: cut(folder / model.DECODER), r"cannot be read: .*\. Get its files again"),
        (
            lambda folder: shutil.copyfile(folder / model.ENCODER, folder / model.DECODER),
            r"cannot be read: it lacks '[a-z_]+'\. Get its files again, or another model\.",
        ),
    ],
)
def test_a_wrong_folder_is_one_sentence_and_changes_nothing(english, tmp_path, damage, sentence):
    kept = model.model_folder("es")
    shutil.copytree(english, kept, dirs_exist_ok=True)
    folder = shutil.copytree(english, tmp_path / "brought")
    damage(folder)
    with pytest.raises(VoiceError, match=sentence) as raised:
        bring_model("es", folder)
    assert "\n" not in str(raised.value) and model.find_model("es") == kept


def test_a_model_without_a_licence_one_that_is_too_large_and_one_that_cannot_be_kept(english, tmp_path, monkeypatch):
    with pytest.raises(VoiceError, match="The language 'en' is not one of de, es, fr"):
        bring_model("en", english)
    (tmp_path / "file").touch()
    with pytest.raises(VoiceError, match=r"file' cannot be read \(not a directory\)"):
        bring_model("fr", tmp_path / "file")
    folder = shutil.copytree(english, tmp_path / "brought")
    (folder / "LICENSE").unlink()
    assert bring_model("fr", folder) == "" and not (model.model_folder("fr") / "LICENSE").exists()
    monkeypatch.setenv("NAOSIM_MODEL", str(tmp_path / "file" / "en"))
    with pytest.raises(VoiceError, match=r"The model cannot be saved in '.*moonshine-fr': "):
        bring_model("fr", folder)
    monkeypatch.setattr(brought_model, "_MAX_BYTES", 20_000_000)
    with pytest.raises(VoiceError, match=r"merged\.ort' has 30 MB; the limit is 20 MB: bring a model of the size tiny"):
        bring_model("fr", folder)


def test_a_network_of_a_language_writes_its_numbers_and_letters():
    tokens = Tokens(b"".join(bytes([1, code]) for code in (0, 1, 2, *range(32, 123))))
    graph = PhraseGraph(tokens, ("drei", "tiger", *"egirt"), NATIVE_FORMS["de"])
    for text, phrase in ((b" 3.", 0), (b" t wie theodor, i, ge, e, er.", 1), (b" tiger", 1), (b" ge", 3)):
        places = graph.start
        for code in text:
            places = graph.follow(places)[code - 32 + END + 1]
        assert graph.phrases_at(places) == {phrase}
