/** A few words in front, as articles and nouns are. */
const BEFORE = "(?:[\\p{L}'’]+ ){0,4}";
/** Anything short behind. */
const AFTER = "(?: .{1,40})?";

const GERMAN_CODE =
  "(?:codes?|methoden?|funktion(?:en)?|implementierung(?:en)?|logik|klassen?|datei|importe?|tests?|inhalte?s?|zeilen?|eigenschaften|felder|stile|einträge|elemente|abschnitte?)";
const SPANISH_CODE =
  "(?:código|métodos?|funci(?:ón|ones)|implementaci(?:ón|ones)|lógica|clases?|archivo|importaciones|imports|pruebas|tests|contenido|líneas?|propiedades|campos|estilos|elementos)";
const FRENCH_CODE =
  "(?:code|méthodes?|fonctions?|implémentations?|logique|classes?|fichier|imports?|tests?|contenu|lignes?|propriétés|champs|styles|éléments)";
const CHINESE_CODE =
  "(?:代码|程式碼|部分|内容|內容|方法|函数|函數|逻辑|邏輯|实现|實作|属性|屬性|字段|欄位|样式|樣式|导入|匯入|配置|测试|測試|项|項)";

/** Comments that stand for left-out text in other languages, in lower case and without dots. */
const PHRASES = [
  // German
  `(?:der |die |das )rest|(?:der |die |das )?rest (?:(?:der|des|dieser|dieses|vom|von) [\\p{L}-]+ ?)?(?:(?:bleibt|ist|wie|unverändert)${AFTER})?`,
  `(?:der |die |das |den |dein |deine )?(?:restliche|übrige|verbleibende|bestehende|vorhandene|bisherige|existierende)[rnms]? ${GERMAN_CODE}${AFTER}`,
  `${BEFORE}(?:(?:bleib(?:t|en)|ist|sind) )?(?:hier )?(?:unverändert|wie (?:bisher|zuvor|vorher|gehabt))`,
  `${BEFORE}bleib(?:t|en) (?:gleich|so|erhalten|bestehen)`,
  `${BEFORE}(?:ausgelassen|weggelassen|gekürzt)`,
  // Spanish and Portuguese
  `(?:el |o )?resto(?: (?:del?|d[ao]s?|de l[ao]s?) .{1,40})?(?: (?:sin|igual|permanece|se mantiene|sigue|sem|permanece)${AFTER})?`,
  `(?:el |la |los |las |o |a |tu |su )?${SPANISH_CODE} (?:existentes?|anterior(?:es)?|restantes?|originale?s?)${AFTER}`,
  `${BEFORE}sin (?:cambios|modificar|modificaciones)`,
  `${BEFORE}(?:igual|como) (?:que )?antes`,
  `${BEFORE}(?:omitid[oa]s?|inalterad[oa]s?|sem alterações|sem mudanças)`,
  "(?:código|métodos|funções|conteúdo) (?:existentes?|restantes?|anterior(?:es)?)",
  // French
  `(?:le )?reste(?: (?:du|de la|des|de l['’]?|de) ?.{1,40})?(?: (?:inchangé|identique|reste|est)${AFTER})?`,
  `(?:le |la |les |votre |du )?${FRENCH_CODE} (?:existante?s?|restante?s?|précédente?s?|d['’]origine)${AFTER}`,
  `${BEFORE}(?:reste(?:nt)? |est |sont )?(?:inchangée?s?|identiques?)(?: à l['’]original)?`,
  `${BEFORE}(?:sans (?:changements?|modifications?)|comme avant|comme précédemment|omise?s?)`,
  // Italian
  "(?:il )?resto (?:del|della|dei|delle|dello) .{1,40}|(?:il )?codice (?:esistente|rimanente|precedente).{0,30}",
  `${BEFORE}(?:invariat[oaie]|senza modifiche|come prima)`,
  // Chinese
  `(?:其余|其餘|剩余|剩餘|剩下|现有|現有|已有|原有|原来|原來|之前|此前|原)的?${CHINESE_CODE}.{0,12}`,
  `.{0,14}(?:保持不变|保持不變|不变|不變|省略|同上|与之前相同|與之前相同|和之前一样|和之前一樣|与原来相同|未修改|未改动|没有变化)`,
  // Japanese and Korean
  "(?:既存|残り|元)の?(?:コード|部分|処理|メソッド|関数|実装|プロパティ|内容|項目).{0,12}|.{0,14}(?:変更なし|変更ありません|省略|以前と同じ|そのまま|上記と同じ)",
  "(?:기존|나머지)의? ?(?:코드|부분|메서드|함수|구현|속성|내용|항목).{0,12}|.{0,14}(?:변경 ?없음|생략|이전과 동일|그대로)",
  // Russian
  "(?:остальн|существующ|оставш|прежн)\\S+ (?:код|методы?|функции|часть|содержимое|строки|свойства|поля|импорты|тесты).{0,30}",
  `${BEFORE}(?:без изменений|как раньше|как прежде|опущен[оаы]?)`,
].map((phrase) => new RegExp(`^(?:${phrase})$`, "u"));

/** Comments that stand for left-out text where they replace some, and else may head a part. */
const LOOSE_PHRASES = [
  "(?:(?:the|all|your|my|and|any) )*(?:other|more|additional|further|remaining) (?:[\\w-]+ )?(?:code|methods?|functions?|members?|properties|props|fields|attributes|items|options|cases|entries|elements|rules|styles|routes|handlers|tests|imports|lines|keys|values|settings|statements|logic|steps|columns|constants|definitions|sections?|parts?|stuff)(?: here)?",
  "(?:(?:the|all|your) )*(?:[\\w-]+ ){1,3}(?:(?:stays?|remains?|is|are) )?(?:as|like|same as) (?:before|above|previously|earlier|it was|they were)",
  `(?:(?:die|alle|deine) )*(?:andere|weitere|sonstige)[nrs]? ${GERMAN_CODE}${AFTER}`,
  `(?:(?:los|las|todos|todas) )*(?:otr[oa]s|demás|más|outr[oa]s) (?:${SPANISH_CODE}|funções|conteúdo)${AFTER}`,
  `(?:(?:les|toutes?|tous) )*(?:autres?|plus de) ${FRENCH_CODE}${AFTER}`,
  `(?:其他|其它|更多|另外)的?${CHINESE_CODE}.{0,8}`,
  "(?:その他|他)の?(?:コード|部分|処理|メソッド|関数|実装|プロパティ|内容|項目).{0,8}|(?:다른|기타) ?(?:코드|부분|메서드|함수|구현|속성|내용|항목).{0,8}|(?:другие|прочие) \\S+",
].map((phrase) => new RegExp(`^(?:${phrase})$`, "u"));

/** True for words in another language than English that stand for left-out text. */
export function isForeignPhrase(words: string): boolean {
  return words.length < 80 && PHRASES.some((phrase) => phrase.test(words));
}

/** True for words that stand for left-out text, or head a part of what there is. */
export function isLoosePhrase(words: string): boolean {
  return words.length < 80 && LOOSE_PHRASES.some((phrase) => phrase.test(words));
}
