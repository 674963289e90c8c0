import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PERMISSIONS } from '@burgee/protocol/administration/permission'
import { expect, test } from 'vitest'

const ADMIN = fileURLToPath(new URL('..', import.meta.url))

/** Files that contain UI texts. */
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
  ['a path into JSON', /\b[a-z]+(\.\d+\.|\[\d+\])[a-zA-Z]+/],
  ['a German word that developers do not use', /Schalter|Spielwiese|Etikett|Strategiearten|Einblicke|ausgeführt/],
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
