import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import type { EvaluatedToggle } from '@burgee/protocol/evaluation'
import { getValueType } from '@burgee/protocol/openfeature/value-type'
import { parseFeatureDocument } from '@burgee/serving/document/feature-document'
import { Repository } from '@burgee/serving/document/repository'
import { ContextReader } from '@burgee/serving/evaluation/context-reader'
import { toUnleashContext } from '@burgee/serving/ofrep/ofrep-context'
import { createOfrepEnvelope } from '@burgee/serving/replies/ofrep-answers'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { documentOf } from './arbitrary-documents.ts'

/** SDKs and OpenFeature providers must get the same results for the same flags. */
const frame = createOfrepEnvelope({})
const CALLER = { headers: {}, remoteAddress: '127.0.0.1' } as never
/** Fixed random number and time, so that both APIs evaluate flags under equal conditions. */
const contexts = new ContextReader({
  appName: undefined,
  environment: 'development',
  trustProxy: false,
  trustedAddressWins: false,
  enrichers: [],
  sessionChance: () => 0.5,
  logger: SILENT,
})
const value = fc.oneof(
  fc.constantFrom('1', '7', 'a', 'b', 'x', '', '0.5', '2024-01-01T00:00:00Z', '1.2.3'),
  fc.integer({ min: -3, max: 120 }),
  fc.boolean(),
)
/** Context fields that documents use, with scalar values, which both forms of a context support. */
const contextOf = fc.dictionary(
  fc.constantFrom('userId', 'sessionId', 'remoteAddress', 'appName', 'x', 'y', 'colour', 'currentTime'),
  value,
  { maxKeys: 6 },
)
const SEED = 20_260_101
const RUNS = Number(process.env.BURGEE_FUZZ_RUNS ?? (process.env.BURGEE_FUZZ === 'full' ? 2000 : 300))

interface Flag {
  readonly key: string
  readonly value?: unknown
  readonly reason?: string
  readonly variant?: string
  readonly errorCode?: string
  readonly metadata?: { readonly enabled?: boolean }
}

test('every flag, variant and payload agrees with the frontend API, and its type with its definition', async () => {
  await fc.assert(
    fc.asyncProperty(documentOf, fc.array(contextOf, { minLength: 1, maxLength: 4 }), async (document, given) => {
      const repository = new Repository({
        logger: SILENT,
        clock: () => 1_700_000_000_000,
        monotonic: PROCESS_CLOCK,
        compileOptions: { clock: () => 1_700_000_000_000, random: () => 0.5 },
      })
      await repository.replace(parseFeatureDocument(document), 'upstream')
      const { state } = repository
      if (state === undefined) throw new Error('There is no state')
      const types = new Map(state.document.features.map((feature) => [feature.name, getValueType(feature)]))
      for (const context of given) {
        const texts = Object.fromEntries(
          // a number as the current time is not the same as a string with the same digits
          Object.entries(context).map(([name, one]) => [name, name === 'currentTime' ? one : String(one)]),
        )
        const own = await contexts.fromBody(texts, CALLER, true)
        const theirs = await contexts.fromBody(toUnleashContext(context), CALLER, true)
        const { toggles } = read(state.answers.list('all', own).content) as { toggles: EvaluatedToggle[] }
        const { flags } = read(state.ofrep.get().bulk(theirs, frame).content) as { flags: Flag[] }
        const byName = new Map(flags.map((flag) => [flag.key, flag]))
        expect([...byName.keys()].sort()).toEqual(toggles.map(({ name }) => name).sort())
        for (const toggle of toggles) agree(toggle, byName.get(toggle.name) as Flag, types.get(toggle.name))
        for (const flag of flags) {
          const alone = state.ofrep.get().single(flag.key, theirs)
          expect(JSON.parse(JSON.stringify(alone?.answer))).toEqual(flag)
        }
      }
    }),
    { numRuns: RUNS, seed: SEED },
  )
})

function read(content: { bytes(): Buffer }): unknown {
  return JSON.parse(content.bytes().toString())
}

function agree(toggle: EvaluatedToggle, flag: Flag, type: string | undefined): void {
  if (flag.errorCode !== undefined) return
  expect(flag.metadata?.enabled).toBe(toggle.enabled)
  const { enabled, name } = toggle.variant
  const none = toggle.enabled ? 'on' : 'off'
  expect(flag.variant).toBe(enabled ? name : none)
  if (type === 'boolean') expect(flag.value).toBe(toggle.enabled)
  else if (!enabled) expect(flag).not.toHaveProperty('value')
  else if (type === 'string') expect(flag.value).toBe(toggle.variant.payload?.value)
  else expect(flag.value).toEqual(JSON.parse(toggle.variant.payload?.value ?? ''))
}
