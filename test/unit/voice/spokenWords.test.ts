import assert from "node:assert/strict";
import { isUnfinished, saidWords } from "../../../src/voice/spokenWords.ts";
import { isDecision } from "../../../src/voice/voiceCommands.ts";

describe("the words of a recognizer", () => {
  it("are none where it made them up, in any language", () => {
    for (const invented of [
      "[BLANK_AUDIO]",
      "(upbeat music)",
      "*coughs* (door closes)",
      "<|nospeech|>",
      "♪♪ ♪♪",
      "Thank you.",
      "Thank you so much for watching!",
      "You",
      "Please subscribe.",
      "Subtitles by the Amara.org community",
      "Transcribed by ESO, translated by —",
      "Untertitel von Stephanie Geiges",
      "Untertitel der Amara.org-Community",
      "Untertitelung des ZDF, 2020",
      "Untertitel im Auftrag des ZDF für funk, 2017",
      "Copyright WDR 2021",
      "Vielen Dank fürs Zuschauen!",
      "Sous-titres réalisés para la communauté d'Amara.org",
      "Sous-titrage Société Radio-Canada",
      "Sous-titrage ST' 501",
      "Merci d’avoir regardé cette vidéo !",
      "Subtítulos realizados por la comunidad de Amara.org",
      "¡Gracias por ver el video!",
      "Sottotitoli creati dalla comunità Amara.org",
      "Legendas pela comunidade Amara.org",
      "Ondertitels ingediend door de Amara.org gemeenschap",
      "Napisy stworzone przez społeczność Amara.org",
      "Субтитры сделал DimaTorzok",
      "Продолжение следует...",
      "ご視聴ありがとうございました",
      "ご視聴ありがとうございました。",
      "チャンネル登録をお願いいたします",
      "字幕由Amara.org社区提供",
      "字幕志愿者 李宗盛",
      "请不吝点赞 订阅 转发 打赏支持明镜与点点栏目",
      "謝謝觀看",
      "시청해 주셔서 감사합니다.",
      "Altyazı M.K.",
    ])
      assert.equal(saidWords(invented), "", invented);
  });

  it("stay as they are where somebody says them", () => {
    for (const said of [
      "Subscribe to the change event.",
      "Subtitles overlap the video, move them down.",
      "Captions are too small.",
      "Translated by a helper, which is wrong.",
      "Untertitel von der Karte entfernen.",
      "Untertitel der Karte",
      "Set arr[0] to 2 * 3 * 4.",
      "Use Map<string, number> instead.",
      "Rename the helper (the second one).",
      "Thank you, now run the tests.",
      "字幕を消して",
    ])
      assert.equal(saidWords(said), said, said);
  });

  it("lose only the part that was made up", () => {
    for (const [heard, said] of [
      ["[BLANK_AUDIO] Rename it.", "Rename it."],
      ["Rename it. Untertitel der Amara.org-Community", "Rename it."],
      ["Run it ♪", "Run it"],
    ] as const)
      assert.equal(saidWords(heard), said);
  });

  it("cannot end after words that need more", () => {
    for (const words of ["Delete the whole", "Delete the whole.", "Rename a,", "Lösche die"])
      assert.equal(isUnfinished(words), true, words);
    for (const words of ["Delete it.", "What is this for?", "Lösch das alles."])
      assert.equal(isUnfinished(words), false, words);
  });
});

describe("words while an approval is open", () => {
  it("decide where they ask for nothing else", () => {
    for (const words of [
      "Yes.",
      "Yes, go ahead and run it please.",
      "Yeah, sure.",
      "Go ahead.",
      "That's fine.",
      "Yes, run npm test.",
      "No.",
      "Don’t do that.",
      "Please allow this for the session.",
      "Ja, mach das bitte.",
      "In Ordnung.",
      "Auf keinen Fall, nein.",
      "Oui.",
      "はい",
    ])
      assert.equal(isDecision(words, "npm test"), true, words);
  });

  it("are a message where they do", () => {
    for (const words of [
      "No, use pnpm.",
      "Right, rename it too.",
      "Yes, but only the unit tests.",
      "What does it do?",
      "Nein, nimm pnpm.",
      "Please",
      "",
    ])
      assert.equal(isDecision(words, "npm test"), false, words);
  });
});
