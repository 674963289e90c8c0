import type { OptionTable } from '@burgee/kit/options/options'
import { apiUrl, flag, inHeader, oneOf, type Parser, text } from '@burgee/kit/options/parsers'
import { SECRET_OPTIONS } from '@burgee/server/core/options/secret-options'
import { DATABASE_LOCATION_OPTIONS } from '../database-location-options.ts'
import { JSON_OPTION } from '../json-option.ts'

/** Parses a PostgreSQL URL. */
const databaseUrl: Parser<string> = {
  expects: 'an address like postgres://user:password@host:5432/database',
  parse: (value) => {
    const url = text.parse(value)
    if (!/^postgres(ql)?:\/\/\S+$/i.test(url) || !URL.canParse(url)) throw new TypeError()
    return url
  },
}

const DAYS = /^(\d{1,5})d$/

/** Parses `all`, `none`, or a number of days. */
const eventHistory: Parser<'all' | 'none' | number> = {
  expects: 'all, none, or a number of days such as 90d',
  parse: (value) => {
    const word = text.parse(value).toLowerCase()
    if (word === 'all' || word === 'none') return word
    const [, days] = DAYS.exec(word) ?? []
    if (days === undefined) throw new TypeError()
    return Number(days)
  },
}

/** Options that name the source; exactly one of them must be given. */
export const SOURCE_OPTIONS = {
  fromUnleashDatabase: {
    env: ['BURGEE_IMPORT_DATABASE_URL'],
    parse: databaseUrl,
    secret: true,
    doc: 'Reads the PostgreSQL of an Unleash server of version 5, 6 or 7, by its tables; it may be running, and nothing is ever written there. `sslmode` and so on are part of the address. The variable keeps the password off the command line.',
  },
  fromUnleashApi: {
    parse: apiUrl,
    doc: 'Reads an Unleash server of version 5, 6 or 7 over HTTP, with --token: for those who cannot reach its database. Passwords, personal tokens and strategies of archived flags are not given there.',
  },
  fromUnleashState: {
    parse: text,
    doc: 'Reads a file that `state/export` of an Unleash server gave, versions 1 to 4, JSON or YAML.',
  },
  fromUnleashExport: {
    parse: text,
    doc: 'Reads a file that `features-batch/export` of an Unleash server gave, into --environment.',
  },
  fromClientFeatures: {
    parse: text,
    doc: 'Reads what SDKs download, or a backup of an edge or a proxy, into --environment: the last resort.',
  },
  fromLaunchdarkly: {
    parse: text,
    doc: 'Reads flags of LaunchDarkly: of a file of its SDKs, into --environment; of a file with lists of its API, or, with --token, of the address of a project (https://app.launchdarkly.com/projects/web), all environments or --environment alone.',
  },
  fromFlagd: { parse: text, doc: 'Reads a file of flagd, JSON or YAML, into --environment.' },
  fromFlagsmith: { parse: text, doc: 'Reads the document of an environment of Flagsmith, into --environment.' },
} as const satisfies OptionTable

/** Options of `burgee import`. */
export const IMPORT_OPTIONS = {
  ...SOURCE_OPTIONS,
  schema: {
    parse: text,
    defaultDoc: 'public',
    doc: 'Schema of the tables, with --from-unleash-database: DATABASE_SCHEMA of the other server.',
  },
  token: {
    env: ['BURGEE_IMPORT_TOKEN'],
    parse: inHeader(text),
    secret: true,
    letter: 't',
    doc: 'Admin token, or personal token of an administrator, with --from-unleash-api; access token, with an address for --from-launchdarkly. The variable keeps it off the command line.',
  },
  project: {
    parse: text,
    defaultDoc: 'default',
    doc: 'Project that flags of files come into, where these do not name one.',
  },
  environment: { parse: text, doc: 'Environment that flags of files come into, where these do not name one.' },
  dryRun: {
    parse: flag,
    default: false,
    doc: 'Writes nothing, and says what would be imported, what not, and what would differ. Exit code 0 where the import can be done.',
  },
  merge: {
    parse: flag,
    default: false,
    doc: 'Adds to a target that is not empty: what has the same name there stays as it is, events get new numbers.',
  },
  update: {
    parse: flag,
    default: false,
    doc: 'Brings what has changed since an earlier import of the same source, where nobody has changed anything here since.',
  },
  events: {
    parse: eventHistory,
    default: 'all' as const,
    doc: 'How much history is imported: all, none, or that of so many days (90d).',
  },
  integrations: {
    parse: oneOf(['on', 'off']),
    default: 'on' as const,
    doc: 'off: integrations are imported disabled. on: those that are enabled there are enabled here; stop the other server first, or messages go out twice.',
  },
  closeUnguarded: {
    parse: flag,
    default: false,
    doc: 'Switches off flags that are on without an enabled strategy. SDKs take those for on for everyone, so that otherwise they get the strategy `default`; the report names them either way.',
  },
  verify: {
    parse: flag,
    default: true,
    doc: 'Compares, at the end, what SDKs get here with what they get there. Exit code 0: equal; 3: flags, segments or tokens differ as reported; 2: something differs that the report does not name.',
  },
  ...JSON_OPTION,
  ...DATABASE_LOCATION_OPTIONS,
  ...SECRET_OPTIONS,
} as const satisfies OptionTable
