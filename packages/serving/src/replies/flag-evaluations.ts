import { hash } from 'node:crypto'
import type { Evaluation } from '@burgee/engine'
import { REASONS } from '@burgee/engine/rules/reason'
import type { Feature } from '@burgee/protocol/feature'
import type { OfrepEvaluation, OfrepFailure } from '@burgee/protocol/openfeature/ofrep'
import { getValueType, hasValues, parseNumber, type ValueType } from '@burgee/protocol/openfeature/value-type'

/** Metadata that all evaluations of a flag have in common. */
type Metadata = NonNullable<OfrepEvaluation['metadata']>

/**
 * All possible OFREP evaluations of a flag: one piece of JSON per combination of outcome and reason. The value type
 * depends only on the definition of the flag, not on the outcome. Sources: OFREP 0.3.0, and the mapping that the
 * Unleash providers for OpenFeature use.
 */
export class FlagEvaluations {
  /** Number of pieces. */
  readonly length: number
  readonly #definition: Feature
  readonly #outcomes: readonly Evaluation[]
  readonly #type: ValueType
  readonly #hasValues: boolean
  #digest: string | undefined

  constructor(definition: Feature, outcomes: readonly Evaluation[]) {
    this.length = outcomes.length * REASONS.length
    this.#definition = definition
    this.#outcomes = outcomes
    this.#type = getValueType(definition)
    this.#hasValues = hasValues(definition)
  }

  /** Hash of the flag definition. */
  get digest(): string {
    this.#digest ??= hash('sha1', JSON.stringify(this.#definition), 'base64')
    return this.#digest
  }

  /** Returns a piece by its number (see `getPieceNumber`). */
  get(piece: number): OfrepEvaluation | OfrepFailure {
    const evaluation = this.#outcomes[Math.floor(piece / REASONS.length)]
    const reason = REASONS[piece % REASONS.length]
    if (evaluation === undefined || reason === undefined) throw new Error(`There is no flag piece ${piece}`)
    const { name: key, enabled, variant } = evaluation
    if (reason === 'ERROR') return createFailure(key, 'The definition of the flag cannot be read.')
    const { payload } = variant
    const metadata = this.#metadata(enabled, variant.enabled ? payload?.type : undefined)
    // Python providers read the variant in every response
    const named = { variant: getVariantName(evaluation) }
    if (this.#type === 'boolean') return { key, value: enabled, reason, ...named, metadata }
    if (!this.#hasValues || !variant.enabled) return { key, reason, ...named, metadata }
    const value = parseValue(this.#type, payload?.value)
    if (value === undefined) {
      return {
        ...createFailure(key, `The payload of the variant "${variant.name}" is not of the type ${payload?.type}.`),
        metadata,
      }
    }
    return { key, value, reason, ...named, metadata }
  }

  /**
   * Builds the metadata. The metadata contains `enabled`, which has the same value as the result of `isEnabled`.
   * Without this property, clients that use payloads as values could not determine whether the flag is enabled.
   */
  #metadata(enabled: boolean, payloadType: unknown): Metadata {
    const { project, type, stale, impressionData } = this.#definition
    return {
      enabled,
      ...(typeof payloadType === 'string' ? { payloadType } : {}),
      ...(typeof project === 'string' ? { project } : {}),
      ...(typeof type === 'string' ? { type } : {}),
      stale: stale === true,
      impressionData: impressionData === true,
    }
  }
}

/** Returns the number of the piece for an outcome and a reason. */
export function getPieceNumber(outcome: number, reason: number): number {
  return outcome * REASONS.length + reason
}

/** Returns the name of the variant, or `on` or `off` if the outcome has no variant. */
function getVariantName({ enabled, variant }: Evaluation): string {
  if (variant.enabled) return variant.name
  return enabled ? 'on' : 'off'
}

function createFailure(key: string, errorDetails: string): OfrepFailure {
  return { key, errorCode: 'PARSE_ERROR', errorDetails }
}

function parseValue(type: ValueType, text: unknown): unknown {
  if (type === 'number') return parseWrittenNumber(text)
  if (type === 'object') return parseJson(text)
  return typeof text === 'string' ? text : undefined
}

/** The global JSON object with `rawJSON`, which TypeScript does not declare yet. */
const RAW_JSON = JSON as unknown as { readonly rawJSON: (text: string) => unknown }
/** Grammar of numbers in JSON (RFC 8259). */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

/**
 * Returns a number that serializes exactly as written in `text`, because SDKs in typed languages distinguish `7.0` from
 * `7`. Returns undefined if the text is not a JSON number.
 */
function parseWrittenNumber(text: unknown): unknown {
  const value = parseNumber(text)
  if (value === undefined) return undefined
  const written = String(text).trim()
  return JSON_NUMBER.test(written) ? RAW_JSON.rawJSON(written) : value
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
