import { parseOptions } from '@burgee/kit/options/options'
import { expect, test } from 'vitest'
import { IMPORT_OPTIONS } from '../../../bin/src/import/import-options.ts'
import { createImportSource } from '../../../bin/src/import/import-sources.ts'

const FLAGD = '--from-flagd=flags.json'
const FILE = '--from-unleash-state=state.json'
const API = '--from-unleash-api=https://flags.example.com'
const DATABASE = '--from-unleash-database=postgres://db/unleash'

const made = (argv: readonly string[], env = {}) =>
  createImportSource(parseOptions(IMPORT_OPTIONS, { env, argv }), () => 0)

test.each<[what: string, argv: string[], env: Record<string, string>, says: RegExp]>([
  ['no source', [], {}, /^Name a source: --from-unleash-database, --from-unleash-api, /],
  ['two sources', [FLAGD, FILE], {}, /^Name one source, not several of /],
  ['an API without a token', [API], {}, /Give an admin token of that server: BURGEE_IMPORT_TOKEN or --token/],
  [
    'a project without a token',
    ['--from-launchdarkly=https://ld.example.com/projects/web'],
    {},
    /Give an access token/,
  ],
  [
    'a token for a file of LaunchDarkly',
    ['--from-launchdarkly=a.json', '--token=x'],
    {},
    /--token is only allowed for --from-launchdarkly with a URL/,
  ],
  ['a token for a file', [FILE, '--token=x'], {}, /--token cannot be used with --from-unleash-state/],
  ['a token of the environment for a file', [FILE], { BURGEE_IMPORT_TOKEN: 'x' }, /--token cannot be used with/],
  ['a schema for a file', [FILE, '--schema=flags'], {}, /--schema cannot be used with --from-unleash-state/],
  ['a schema for an API', [API, '--token=x', '--schema=public'], {}, /--schema cannot be used with/],
  ['an environment for a state', [FILE, '--environment=production'], {}, /--environment cannot be used with/],
  ['a project for a database', [DATABASE, '--project=shop'], {}, /--project cannot be used with/],
  ['flagd without an environment', [FLAGD], {}, /Name the environment of --from-flagd: --environment production/],
  ['no PostgreSQL', ['--from-unleash-database=mysql://db/x'], {}, /--from-unleash-database must be a URL like/],
  [
    'an unencrypted API where encryption is required',
    ['--from-unleash-api=http://flags.example.com', '--token=x'],
    { REQUIRE_ENCRYPTION: 'true' },
    /^REQUIRE_ENCRYPTION needs an https address of the source/,
  ],
  [
    'an unencrypted database where encryption is required',
    [DATABASE],
    { REQUIRE_ENCRYPTION: 'true' },
    /^REQUIRE_ENCRYPTION needs TLS to the source/,
  ],
  ['days that are none', [FILE, '--events=soon'], {}, /--events must be all, none, or a number of days/],
])('%s', (_, argv, env, says) => {
  expect(() => made(argv, env)).toThrow(says)
})

test.each<[what: string, argv: string[]]>([
  ['a file', [FILE]],
  ['a database in a schema', [DATABASE, '--schema=flags']],
  ['an API', [API, '--token=x']],
  ['a project of LaunchDarkly', ['--from-launchdarkly=https://ld.example.com/projects/web', '--token=x']],
  ['flags for a project', [FLAGD, '--environment=production', '--project=shop']],
])('%s', (_, argv) => {
  expect(made(argv)).toMatchObject({ read: expect.any(Function), close: expect.any(Function) })
})
