import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fetchPlan } from '../../bin/src/config/config-client.ts'
import { formatMistake } from '../../bin/src/config/mistake-text.ts'
import { formatPlans } from '../../bin/src/config/plan-text.ts'
import { formatReport } from '../../bin/src/import/import-text.ts'
import { formatCheck } from '../../bin/src/refs/check-formats.ts'
import { ScannerClient } from '../../bin/src/refs/scanner-client.ts'
import { formatComparison } from '../../bin/src/verify/verify-text.ts'
import { runBurgee, temporaryFolder } from '../support/burgee.ts'

/**
 * Names from other services and files must not control the terminal. Such names could set the terminal's title, clear
 * its screen or fake a line of output.
 */
const folder = temporaryFolder()
afterAll(folder.remove)

const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\u009b1A\u202eflag\r\nother: equal'
const OBEYED = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u

const feature = {
  name: HOSTILE,
  enabled: true,
  strategies: [
    {
      name: 'default',
      title: HOSTILE,
      constraints: [{ contextName: HOSTILE, operator: 'IN', values: [HOSTILE] }],
      segments: [1],
    },
    { name: HOSTILE },
  ],
  variants: [{ name: HOSTILE, weight: 1000, payload: { type: 'string', value: HOSTILE } }],
  dependencies: [{ feature: HOSTILE }],
}
const file = join(folder.path, 'hostile.json')
writeFileSync(
  file,
  JSON.stringify({ version: 2, features: [feature], segments: [{ id: 1, name: HOSTILE, constraints: [] }] }),
)

describe('burgee evaluate prints names of a file without their controls', () => {
  test.each([
    ['as text', [file, HOSTILE]],
    ['as JSON', [file, HOSTILE, '--json']],
    ['where there is no such flag', [file, `${HOSTILE}?`]],
    ['where there is no such file', [`${file}${HOSTILE}`, 'x']],
  ])('%s', async (_how, args) => {
    const run = runBurgee(['evaluate', ...args], {})
    await run.ended
    const printed = run.output() + run.errors()
    expect(printed).toContain('owned')
    expect(printed).not.toMatch(OBEYED)
  })
})

test('a name is one line of what burgee verify and burgee import print', () => {
  const part = {
    kind: 'flags' as const,
    environment: HOSTILE,
    contexts: 1,
    aimed: 0,
    flags: [HOSTILE],
    byChance: [HOSTILE],
    differences: [{ flag: HOSTILE, says: [HOSTILE] }],
  }
  const report = { counts: [], notes: [{ kind: 'flag', name: HOSTILE, fidelity: 'exact', words: HOSTILE }] }
  const texts = [
    formatComparison([part as never], { a: HOSTILE, b: HOSTILE }),
    formatReport(report as never).join('\n'),
  ]
  for (const text of texts) {
    expect(text).not.toMatch(OBEYED)
    expect(text).not.toMatch(/^other: equal/m)
  }
})

test.each(['text', 'github'] as const)('a name is one line of what burgee plan prints as %s', (format) => {
  const change = { kind: 'Flag' as const, name: HOSTILE, environment: HOSTILE, sentence: HOSTILE, enables: true }
  const none = { offToOn: 0, onToOff: 0, otherVariant: 0, from: null, to: null }
  const impact = { sampling: true, evaluations: 1, ...none }
  const plan = {
    project: HOSTILE,
    plan: 'a',
    revision: 1,
    changes: [change],
    destructive: [change],
    needsChangeRequest: [HOSTILE],
    missingPermissions: [],
    kept: [{ kind: 'Segment', name: HOSTILE, reason: HOSTILE }],
    obstacles: [{ kind: 'Segment' as const, name: HOSTILE, reason: HOSTILE }],
    warnings: [{ kind: 'Segment' as const, name: HOSTILE, reason: HOSTILE }],
    released: [{ kind: 'Segment', name: HOSTILE, path: HOSTILE }],
    impacts: [{ flag: HOSTILE, environment: HOSTILE, impact }],
    isImpactIncomplete: true,
  }
  const text = formatPlans([plan], format, 'burgee apply')
  expect(text).not.toMatch(OBEYED)
  expect(text).not.toMatch(/^other: equal/m)
})

test.each(['text', 'github'] as const)('a path is one line of what burgee refs check prints as %s', (format) => {
  const problem = { kind: 'missing' as const, flag: HOSTILE, path: HOSTILE, line: 1, column: 2, suggestion: HOSTILE }
  const skipped = { tooLarge: 0, unreadable: 0 }
  const text = formatCheck({ problems: [problem], calls: 1, flags: 1, files: 1, skipped }, format)
  expect(text).not.toMatch(/^other: equal/m)
  expect(text).not.toMatch(OBEYED)
})

test('a mistake in a file is one line, and so is an error of the server', async () => {
  const mistake = { file: `${HOSTILE}.yaml`, line: 1, property: HOSTILE, message: HOSTILE }
  const errors: string[] = [formatMistake('flags', mistake)]
  const server = createServer((_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ message: HOSTILE }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const calls = [
    () => fetchPlan({ url, token: 'x' }, { project: 'default', folder: 'flags' }, { files: [], prune: false }),
    () => new ScannerClient(url, 'x').listFlags('default'),
  ]
  for (const call of calls) await call().catch((error: Error) => errors.push(error.message))
  server.close()
  expect(errors).toHaveLength(3)
  for (const text of errors) {
    expect(text).toContain('owned')
    expect(text).not.toMatch(OBEYED)
    expect(text).not.toMatch(/^other: equal/m)
  }
})

test('only one function writes to the output of a command', () => {
  const root = new URL('../../bin/src/', import.meta.url).pathname
  const direct = globSync('**/*.ts', { cwd: root }).filter((name) =>
    // loggers escape control characters themselves and write whole lines
    /console\.|process\.std(out|err)\.write\((?!line\))/.test(readFileSync(join(root, name), 'utf8')),
  )
  expect(direct).toEqual([])
  const streams = globSync('**/*.ts', { cwd: root }).filter((name) =>
    /stream\.write|sink\.write/.test(readFileSync(join(root, name), 'utf8')),
  )
  expect(streams.sort()).toEqual(['import/import-progress.ts', 'output.ts'])
})
