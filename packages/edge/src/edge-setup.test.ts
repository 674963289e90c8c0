import type { Logger } from '@burgee/kit/log/logger'
import { describe, expect, test } from 'vitest'
import { createIdentity, isJsonLog, warnAboutOptions } from './edge-setup.ts'
import { loadEdgeOptions, loadOfflineOptions } from './options.ts'

const UPSTREAM = { UPSTREAM_URL: 'http://127.0.0.1:1', TOKENS: '*:development.secret' }

/** Returns the warnings about the variables of a node with an upstream. */
function warningsOf(variables: Readonly<Record<string, string>>): string[] {
  const sources = { env: { ...UPSTREAM, ...variables } }
  return collect((logger) => warnAboutOptions(loadEdgeOptions(sources), sources, logger))
}

function collect(run: (logger: Logger) => void): string[] {
  const lines: string[] = []
  const warn = (line: string) => void lines.push(line)
  run({ trace: () => {}, debug: () => {}, info: () => {}, warn, error: () => {}, fatal: () => {} } as unknown as Logger)
  return lines
}

describe('warnings about options without effect', () => {
  test('do not name options that have an effect', () => {
    expect(warningsOf({})).toEqual([])
    expect(warningsOf({ TRUST_PROXY: 'true', PROXY_TRUSTED_SERVERS: '10.0.0.1', WORKERS: '2' })).toEqual([])
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    ['trusted servers without a trusted proxy', { PROXY_TRUSTED_SERVERS: '10.0.0.1' }],
    ['trusted servers with trust turned off', { PROXY_TRUSTED_SERVERS: '10.0.0.1', TRUST_PROXY: 'false' }],
  ])('name %s', (_, variables) => {
    expect(warningsOf(variables)).toEqual([
      'PROXY_TRUSTED_SERVERS has no effect without TRUST_PROXY=true: forwarded addresses are ignored',
    ])
  })

  test('name workers in offline mode, but not a single worker', () => {
    const warnings = (workers: string) => {
      const sources = { env: { BOOTSTRAP_FILE: 'flags.json', CLIENT_TOKENS: 'a', WORKERS: workers } }
      return collect((logger) => warnAboutOptions(loadOfflineOptions(sources), sources, logger))
    }
    expect(warnings('1')).toEqual([])
    expect(warnings('2')).toEqual(['WORKERS has no effect in offline mode: using one process'])
  })

  test('name options of other products as they were given', () => {
    expect(warningsOf({ S3_BUCKET_NAME: 'flags' })).toEqual([expect.stringContaining('S3_BUCKET_NAME')])
  })
})

describe('the identity of a node', () => {
  const at = { clock: () => 17, random: () => 0.5 }

  test('uses the configured instance id', () => {
    expect(createIdentity({ appName: 'edge', instanceId: 'one' }, at)).toEqual({
      appName: 'edge',
      instanceId: 'one',
      startedAtMs: 17,
    })
  })

  test('differs between processes of one machine', () => {
    const { instanceId } = createIdentity({ appName: 'edge' }, at)
    const other = createIdentity({ appName: 'edge' }, { ...at, random: () => 0.25 })
    expect(instanceId).toContain(`-${process.pid}-`)
    expect(other.instanceId).not.toBe(instanceId)
  })
})

test.each<[string, Readonly<Record<string, string>>, boolean]>([
  ['text by default', {}, false],
  ['JSON with the format of the log', { LOG_FORMAT: 'json' }, true],
  ['text with the format of the log', { LOG_FORMAT: 'plain', JSON_LOGGER: 'true' }, false],
  ['JSON with the option of the server', { JSON_LOGGER: 'true' }, true],
])('the log is %s', (_, variables, isJson) => {
  expect(isJsonLog(loadEdgeOptions({ env: { ...UPSTREAM, ...variables } }).options)).toBe(isJson)
})
