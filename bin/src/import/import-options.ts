import type { OptionTable } from '@burgee/kit/options/options'
import { apiUrl, flag, inHeader, oneOf, type Parser, text } from '@burgee/kit/options/parsers'
import { SECRET_OPTIONS } from '@burgee/server/core/options/secret-options'
import { DATABASE_LOCATION_OPTIONS } from '../database-location-options.ts'
import { JSON_OPTION } from '../json-option.ts'

/** Parses a PostgreSQL URL. */
const databaseUrl: Parser<string> = {
  expects: 'a URL like postgres://user:password@host:5432/database',
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

/** Options that name the source of an import; exactly one of these options must be given. */
export const SOURCE_OPTIONS = {
  fromUnleashDatabase: {
    env: ['BURGEE_IMPORT_DATABASE_URL'],
    parse: databaseUrl,
    secret: true,
    doc: 'Reads the PostgreSQL tables of an Unleash server of version 5, 6 or 7. The server may be running; nothing is ever written there. Options such as `sslmode` belong in the URL. The variable keeps the password off the command line.',
  },
  fromUnleashApi: {
    parse: apiUrl,
    doc: 'Reads an Unleash server of version 5, 6 or 7 over HTTP, with --token, if its database cannot be reached. The API does not return passwords, personal tokens and strategies of archived flags.',
  },
  fromUnleashState: {
    parse: text,
    doc: 'Reads a file from `state/export` of an Unleash server, versions 1 to 4, JSON or YAML.',
  },
  fromUnleashExport: {
    parse: text,
    doc: 'Reads a file from `features-batch/export` of an Unleash server, into --environment.',
  },
  fromClientFeatures: {
    parse: text,
    doc: 'Reads an SDK download, or a backup of an edge or a proxy, into --environment: the last resort.',
  },
  fromLaunchdarkly: {
    parse: text,
    doc: 'Reads flags of LaunchDarkly: a file of its SDKs, into --environment; a file with lists of its API; or, with --token, the URL of a project (https://app.launchdarkly.com/projects/web), with all environments or only --environment.',
  },
  fromFlagd: { parse: text, doc: 'Reads a flagd file, JSON or YAML, into --environment.' },
  fromFlagsmith: { parse: text, doc: 'Reads a Flagsmith environment document, into --environment.' },
} as const satisfies OptionTable

/** Options of `burgee import`. */
export const IMPORT_OPTIONS = {
  ...SOURCE_OPTIONS,
  schema: {
    parse: text,
    defaultDoc: 'public',
    doc: 'Schema of the tables for --from-unleash-database: DATABASE_SCHEMA of the other server.',
  },
  token: {
    env: ['BURGEE_IMPORT_TOKEN'],
    parse: inHeader(text),
    secret: true,
    letter: 't',
    doc: 'For --from-unleash-api: admin token, or personal token of an administrator. For --from-launchdarkly with a URL: access token. The variable keeps it off the command line.',
  },
  project: {
    parse: text,
    defaultDoc: 'default',
    doc: 'Project for flags from files that name none.',
  },
  environment: { parse: text, doc: 'Environment for flags from files that name none.' },
  dryRun: {
    parse: flag,
    default: false,
    doc: 'Dry run: writes nothing, and reports the imported and omitted items and the differences. Exit code 0 if the import can be done.',
  },
  merge: {
    parse: flag,
    default: false,
    doc: 'Adds to a target that is not empty: items with an existing name are left unchanged, events get new numbers.',
  },
  update: {
    parse: flag,
    default: false,
    doc: 'Imports the changes since an earlier import of the same source, to items that were not changed here since.',
  },
  events: {
    parse: eventHistory,
    default: 'all' as const,
    doc: 'Amount of history to import: all, none, or a number of days (90d).',
  },
  integrations: {
    parse: oneOf(['on', 'off']),
    default: 'on' as const,
    doc: 'off: integrations are imported disabled. on: integrations that are enabled there are enabled here; stop the other server first, or messages are sent twice.',
  },
  closeUnguarded: {
    parse: flag,
    default: false,
    doc: 'Disables flags that are enabled without an enabled strategy. SDKs treat them as enabled for all users, so otherwise they get the strategy `default`; the report names them either way.',
  },
  verify: {
    parse: flag,
    default: true,
    doc: 'At the end, compares the configuration that SDKs get from both servers. Exit code 0: equal; 3: flags, segments or tokens differ as reported; 2: there are differences that the report does not name.',
  },
  ...JSON_OPTION,
  ...DATABASE_LOCATION_OPTIONS,
  ...SECRET_OPTIONS,
} as const satisfies OptionTable
