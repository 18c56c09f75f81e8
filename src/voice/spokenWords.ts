/** What a recognizer writes that nobody says: `[BLANK_AUDIO]`, `<|nospeech|>`, notes. */
const MARKS = /(?<!\S)\[[A-Z][A-Z_ ]*\](?!\S)|<\|[^|>]*\|>|[♪♫♬]+/g;
/** Nothing but sounds that a recognizer describes: `(upbeat music)`, `*coughs*`, `[noise]`. */
const DESCRIBED = /^(?:(?:\[[^\]]*\]|\([^)]*\)|\*[^*]+\*|<[^>]*>|（[^）]*）)[\s.,;…-]*)+$/;
/** What recognizers invent for silence and noise. As a whole message it asks for nothing. */
const INVENTED = new RegExp(
  `^(?:${[
    "you|so|bye(?: bye)?|uh|um|hm+|mm+|ah|oh|ähm?|the end|please (?:like and )?subscribe",
    "(?:thank you|thanks)(?: (?:so|very) much)?(?: (?:for|to) (?:watching|listening|your attention))?",
    "(?:like and )?subscribe(?: to (?:my|our|the) channel)?|(?:see|i'll see) you (?:in the )?next (?:time|video)",
    "(?:vielen dank|danke(?: schön)?)(?: fürs? (?:zuschauen|zuhören|ihre aufmerksamkeit))?|tschüss|bis zum nächsten mal",
    "merci(?: beaucoup)?(?: d'avoir regardé(?: cette vidéo)?)?|abonnez vous|au revoir|à bientôt",
    "(?:muchas )?gracias(?: por ver(?: el| este)? v[ií]deo)?|suscríbete(?: al canal)?|hasta la próxima",
    "grazie(?: mille| a tutti| per la visione| per l'attenzione)?|iscrivetevi al canale|tchau",
    "obrigad[oa](?: por assistir)?|inscreva se no canal|(?:bedankt|dank je wel)(?: voor het kijken)?",
    "dziękuję?(?: za (?:uwagę|oglądanie))?|dzięki za oglądanie|děkuj[iu](?: za pozornost)?",
    "спасибо(?: за (?:просмотр|внимание))?|продолжение следует|дякую(?: за перегляд)?|teşekkür(?:ler| ederim)",
    "izlediğiniz için teşekkür(?:ler| ederim)|altyazı m k|tack(?: för att (?:du|ni) har tittat)?|tak(?:k for meg)?",
    "(?:最後まで)?(?:ご視聴|ご清聴)?(?:誠に|本当に)?ありがとうござい(?:ました|ます)|(?:チャンネル登録(?:を|と高評価を)?お願い(?:し|いたし|致し)ます)",
    "(?:谢谢|謝謝|感谢|感謝)(?:大家|您|你)?(?:的)?(?:观看|觀看|收看|收听|收聽)?|(?:请|請)不吝.*",
    "(?:시청해 ?주셔서 )?감사합니다|구독과 좋아요.*|다음 (?:영상|시간)에서? 만나요|شكرا(?: للمشاهدة| على المشاهدة)?",
  ].join("|")})$`,
);
/** Begins a credit for subtitles, which recognizers have learned with the silence after films. */
const CREDIT = new RegExp(
  `^(?:${[
    "subtitle[sd]?|captions?|captioning|transcri(?:bed|ption)|translat(?:ed|ion)|untertitel(?:ung)?|copyright",
    "sous-titr(?:es|age)|subt[ií]tulos|sottotitoli|legendas|ondertitel(?:s|ing|d)|undertext(?:er|ning)?",
    "undertekster|teksting|napisy|titulky|altyazı|субтитры|редактор субтитров",
  ].join("|")})(?=[\\s:])`,
  "iu",
);
/** So does this where letters have no case. */
const CREDIT_PREFIX =
  /^(?:中文)?字幕(?:由|\s*by\b|志愿者|志願者|製作人|[:：])|^(?:한글\s*)?자막\s*(?:by\b|제공|[:：])/iu;
/** Such a credit says by whom, or names who has many of them. */
const CREDITED =
  /^(?:by|von|par|por|pela|di|door|przez|av|från|vytvořil|сделал|создавал|amara|zdf|ard|wdr|swr|ndr|orf|srf|bbc|radio|st|mfp|qtss)$/iu;
/** Its other words begin with a capital or are numbers. */
const CREDIT_WORDS = new Set(
  (
    "the for of community made provided transcribed translated org com d der des im auftrag für funk para la le communauté " +
    "réalisés réalisées realizados de comunidad a cura creati dalla comunità comunidade ingediend " +
    "gemeenschap stworzone społeczność gemenskapen корректор"
  ).split(" "),
);
/** Words that no sentence ends with, in English and German; recognizers add a period anyway. */
const CONNECTING = new Set(
  (
    "a an the my your our their its and or but because whole entire every um uh " +
    "einen einem einer eines und oder aber weil dass ganze ganzen ähm äh"
  ).split(" "),
);
/** Words that may end a sentence, but seldom do. */
const SELDOM_LAST = new Set(
  (
    "this of to into onto from with without for at by as than if whether when while where which who whose " +
    "then also each very delete remove rename replace change add called named " +
    "der die das den dem des ein eine mein meine dein deine wenn ob während wo welche welcher welches " +
    "von zu zum zur für ohne bei mit im am ins sehr lösche entferne"
  ).split(" "),
);

/** What the user said, without what the recognizer made up. "" where nothing is left. */
export function saidWords(recognized: string): string {
  const written = recognized.replace(MARKS, " ").replace(/\s+/g, " ").trim();
  const sentences = written.split(/(?<=[.!?…]) |(?<=[。！？])/);
  const words = sentences.some(isCredit)
    ? sentences.filter((sentence) => !isCredit(sentence)).join(" ")
    : written;
  const plain = comparableWords(words);
  return plain === "" || DESCRIBED.test(words) || INVENTED.test(plain) ? "" : words;
}

/** Whether a sentence only names who wrote subtitles. */
function isCredit(sentence: string): boolean {
  const kind = CREDIT.exec(sentence)?.[0];
  if (kind === undefined) return CREDIT_PREFIX.test(sentence);
  const rest = sentence.slice(kind.length).match(/[\p{L}\p{N}]+/gu) ?? [];
  const isKnown = (word: string) => CREDITED.test(word) || CREDIT_WORDS.has(word.toLowerCase());
  const isName = (word: string) => /^[\p{Lu}\p{N}]/u.test(word);
  return (
    rest.some((word) => CREDITED.test(word)) && rest.every((word) => isKnown(word) || isName(word))
  );
}

/** Whether more must follow, as after "and" or a comma. */
export function isUnfinished(words: string): boolean {
  if (/(?:[,:;–—-]|\.\.\.|…)$/.test(words)) return true;
  const last = comparableWords(words).split(" ").at(-1) ?? "";
  return CONNECTING.has(last) || (SELDOM_LAST.has(last) && !/[.!?]$/.test(words));
}

/** Words in lower case, without marks. */
export function comparableWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[^\p{L}\p{N}' ]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}
