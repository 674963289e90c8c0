import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PERMISSIONS } from '@burgee/protocol/administration/permission'
import { expect, test } from 'vitest'

const ADMIN = fileURLToPath(new URL('..', import.meta.url))

/** Files that contain UI strings. */
const PATHS = globSync(['**/texts*.ts', '**/*-texts.ts', 'roles/permission-names.ts', 'text/*.ts'], { cwd: ADMIN })
  .filter((path) => !path.endsWith('.test.ts'))
  .sort()

/** Quoted strings that users read, without object keys. */
const TEXTS = [...new Set(PATHS)].flatMap((path) =>
  readFileSync(join(ADMIN, path), 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(\/?\*|\/\/|import |export |\[\/)/.test(line))
    .flatMap((line) => [...line.matchAll(/'((?:[^'\\]|\\.)*)'(?!:)|`([^`]*)`|"([^"]*)"/g)])
    .map(([, single, template, double]) => ({ path, text: single ?? template ?? double ?? '' })),
)

const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a name of a permission', new RegExp(`\\b(${PERMISSIONS.map(({ name }) => name).join('|')})\\b`)],
  ['an address of the API', /\/api\/|\b(GET|POST|PUT|PATCH|DELETE) \//],
  ['straight quotes around a value', /"\$\{\w+\}"/],
  ['a path into JSON', /\b[a-z]+(\.\d+\.|\[\d+\])[a-zA-Z]+/],
  ['a German word that developers do not use', /Schalter|Spielwiese|Etikett|Strategiearten|Einblicke|ausgeführt/],
  ['a literal translation', /Menschen|Einzelheiten|Kopfzeile|Nutzlast|Mitteilung|zurückholen|[Bb]innen |Wofür/],
  ['a second German word for "create" or "use"', /anlegen|angelegt|[Bb]enutzt|benutzen|Gebrauch/],
  [
    'an old English term',
    /\b(favourite|sign in|take out|ask for it|throw away|to the flag|send to review|sent to review)\b/i,
  ],
]

test('there are texts to look at', () => {
  expect(PATHS.length).toBeGreaterThan(50)
  expect(TEXTS.length).toBeGreaterThan(3000)
})

test.each(FORBIDDEN)('no text has %s', (_what, pattern) => {
  expect(TEXTS.filter(({ text }) => pattern.test(text))).toEqual([])
})

/**
 * Wordings that new users did not understand, by subject. The texts now contain the usual words of the field instead.
 */
const OLD_WORDING: readonly (readonly [subject: string, pattern: RegExp])[] = [
  ['flag created', /is created, off everywhere/],
  ['strategy saved', /The strategy is (added|saved|removed)/],
  ['users of a strategy', /Everybody (where|it lets in)|of everybody where/],
  ['going live', /Real users (get|lose) it/],
  ['failure', /: not done|That did not work|Something above is missing/],
  ['approval needed', /cannot be put into a draft|takes changes through change requests/],
  ['unsent changes', /Your draft for .* has/],
  ['review', /Send (this draft )?to review|Sent to review|Ask to approve|Anybody who may approve/],
  ['removal', /Take out|is taken out|Throw/],
  ['flag link', /To the flag/],
  ['approval', /Somebody else has to approve|One approval is needed|^Asked:|You approved it|one approval given/],
  ['applied', /All changes are applied|Apply all changes to/],
  ['default strategy', /this one is added|Turning it on adds/],
  ['bypass', /Skip change requests/],
  ['change requests', /Changes that others approve/],
  ['revert', /Undo this\?|This log records that|^Undone/],
  ['past state', /The flag then|See the flag as of|Or choose an event|You are looking at the past|Back to today/],
  ['clean-up', /Flag may be stale|put off|can probably go|has outlived|meant to live|Not asked for|^Later/],
  [
    'playground',
    /See what somebody|Nothing evaluated yet|Empty means as they are now|lets the context in|is not given|Ask the playground/,
  ],
  ['code', /^Ask for it|Its rules look at|this code does not allow|See it now/],
  ['usage', /Most in an hour|No SDK has reported it/],
  ['dependencies', /Depending on it|its parent, is in the state/],
  [
    'strategy editor',
    /What follows|What gives the same user|let in the same users|True when the rest|Enter after each|behave as if it were not there|For people; SDKs|This is not JSON/,
  ],
  ['effect', /The same people are in|drawn anew/],
  ['insights', /in their life cycle|What would raise it/],
  ['applications', /What asks this server|Names that applications ask for/],
  [
    'definitions',
    /What your code tells|How a strategy decides|These are the words before|Every flag has its own state and rules/,
  ],
  ['promotion', /as they are there|Where flags differ|shared out|Type of the payload of/],
  [
    'import',
    /Show what would come|Look again|Another file|What is here stays|Token of an administrator there|A file has the flags/,
  ],
  ['people', /Pass this link on|What people can do depends|was chosen by somebody else/],
  ['rights', /the other settings|whether approval is needed/],
  ['sso', /Address of the provider|Signatures of ID tokens|Requested kind of login|Trust addresses/],
  ['integrations', /Notified of|Changes never wait/],
  ['instance', /Web pages that may ask|What it holds|How long things are kept/],
  ['missing page', /There is nothing here/],
  ['secrets', /only this once|I have copied it/],
  ['terms', /Before production|\bRevive\b/],
  ['British spelling', /\b(favourite|organis|colour|behaviour)/],
  ['blank before percent', /\d %|\} %/],
]

/**
 * English texts: everything before the German part of a catalogue, which follows in the same file or is in a separate
 * file.
 */
const ENGLISH = [...new Set(PATHS)]
  .filter((path) => !/(^|[./])de\.ts$/.test(path))
  .flatMap((path) => {
    const [english = ''] = readFileSync(join(ADMIN, path), 'utf8').split(/^const de\b/m)
    return [...english.matchAll(/'((?:[^'\\\n]|\\.)*)'(?!:)|`([^`]*)`/g)].map(([, single, template]) => ({
      path,
      text: single ?? template ?? '',
    }))
  })

/** German texts: the German part of a catalogue, or a separate file. */
const GERMAN = [...new Set(PATHS)].flatMap((path) => {
  const source = readFileSync(join(ADMIN, path), 'utf8')
  const german = /(^|[./])de\.ts$/.test(path)
    ? source
    : source
        .split(/^(?:const de\b|const \w+_DE\b| {2}de: )/m)
        .slice(1)
        .join('')
  return [...german.matchAll(/'((?:[^'\\\n]|\\.)*)'(?!:)|`([^`]*)`/g)].map(([, single, template]) => ({
    path,
    text: single ?? template ?? '',
  }))
})

test('German texts have a no-break space before a percent sign', () => {
  expect(GERMAN.length).toBeGreaterThan(2000)
  expect(GERMAN.filter(({ text }) => /[\d}] ?(?<!\\u00a0)%/.test(text))).toEqual([])
})

test.each(OLD_WORDING)('the English about %s has the words of the field', (_subject, pattern) => {
  expect(ENGLISH.length).toBeGreaterThan(2000)
  expect(ENGLISH.filter(({ text }) => pattern.test(text))).toEqual([])
})

test('flags are evaluated; only applications, tokens and users are seen', () => {
  const files = globSync(['{archive,flag,flags,stale}/**/*.{ts,tsx}'], { cwd: ADMIN })
  const seen = files.filter((path) =>
    /common\.lastSeen|[Ll]ast seen|[Zz]uletzt gesehen/.test(readFileSync(join(ADMIN, path), 'utf8')),
  )
  expect(files.length).toBeGreaterThan(50)
  expect(seen).toEqual([])
})
