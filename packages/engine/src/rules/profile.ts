import { type Address, parseAddress } from '@burgee/protocol/address'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import { fieldName, numberOf, type Raw, splitList, textOf, timeOf } from './raw-value.ts'
import { parseSemver } from './semver.ts'
import { CALLER, CHANCE, fieldStickiness, type Stickiness, USER_OR_SESSION } from './stickiness.ts'
import { utf8Text } from './utf8-text.ts'

/**
 * The rules in which the two families of SDKs differ. Everything else is the same for both.
 * Source of `node`: the Node SDK. Source of `yggdrasil`: version 2.0 of that engine, observed.
 */
export interface ProfileRules {
  readonly name: EvaluationProfile
  /** True if a part that cannot be evaluated switches off its whole flag, and not only its strategy. */
  readonly isFlagOffByFlaw: boolean
  /** Returns a text whose low bytes are the bytes to hash. */
  readonly hashedText: (text: string) => string
  /** Splits a comma-separated list parameter. */
  readonly splitList: (list: string) => string[]
  /** True if an address also matches an entry of `remoteAddress` of the same text, whatever that is. */
  readonly matchesAddressText: boolean
  /** Reads a percentage: NaN lets nobody in, undefined is a flaw. */
  readonly percentage: (value: unknown) => number | undefined
  /** Returns the group of a rollout by parameters and the flag's name. */
  readonly rolloutGroup: (parameters: Raw, flag: string) => string
  /** False if an older strategy without a group lets nobody in. */
  readonly isGroupOptional: boolean
  /** Returns what a name of a stickiness stands for in a rollout; `field` numbers a context field. */
  readonly rolloutStickiness: (name: unknown, field: (name: string) => number) => Stickiness
  /** Returns what a name of a stickiness stands for in a list of variants. */
  readonly variantStickiness: (name: unknown, field: (name: string) => number) => Stickiness
  /** Returns group and stickiness of the variants of a strategy. */
  readonly strategyVariants: (parameters: Raw, first: Raw | undefined, flag: string) => StrategyVariantRule
  /** True if overrides count in the variants of strategies as well. */
  readonly hasStrategyOverrides: boolean
  /** True if a dependency looks at its variants only where the parent has one, whether it wants the parent on or off. */
  readonly looksAtVariantsOfParent: boolean
  readonly constraints: ConstraintRules
}

/** How the variants of a strategy are shared out. */
export interface StrategyVariantRule {
  readonly groupId: string
  readonly stickiness: unknown
}

/** How operands and context values of constraints are read. */
export interface ConstraintRules {
  /** True for values that are trimmed, the empty ones left out. */
  readonly trimsValues: boolean
  /** True if a list without values is a flaw for operators other than IN and NOT_IN. */
  readonly needsValues: boolean
  /** Reads an operand; undefined is a flaw. */
  readonly number: (value: unknown) => number | undefined
  /** Reads a context value; NaN compares false. */
  readonly actualNumber: (text: string) => number
  readonly isEqual: (a: number, b: number) => boolean
  /** Reads an operand in milliseconds; undefined is a flaw. */
  readonly instant: (value: unknown) => number | undefined
  /** True if dates are compared with the named field, and with the time of the context only for `currentTime`. */
  readonly comparesFieldWithDate: boolean
  /** Returns the text of a version to parse, or undefined for one that is none. */
  readonly versionText: (value: string) => string | undefined
  /** True if an operand that is no version is a flaw. */
  readonly needsVersion: boolean
  /** Reads the address of a caller. */
  readonly callerAddress: (text: string) => Address | undefined
  /** Pattern for an operand that is no text; undefined matches nothing. */
  readonly defaultPattern: string | undefined
}

const NODE: ProfileRules = {
  name: 'node',
  isFlagOffByFlaw: false,
  hashedText: (text) => text,
  splitList,
  matchesAddressText: true,
  percentage: numberOf,
  rolloutGroup: ({ groupId }) => textOf(groupId || '') ?? '',
  isGroupOptional: true,
  rolloutStickiness: (given, field) => {
    const name = textOf(given || 'default') ?? ''
    if (name === 'random') return CHANCE
    return name === 'default' ? USER_OR_SESSION : fieldStickiness(field(name))
  },
  variantStickiness: (given, field) => {
    const name = given === undefined ? 'default' : fieldName(given)
    return name === 'default' ? CALLER : fieldStickiness(field(name))
  },
  // a missing groupId hashes as the text "undefined"
  strategyVariants: (parameters, first) => ({
    groupId: fieldName(parameters.groupId),
    stickiness: first?.stickiness || parameters.stickiness,
  }),
  hasStrategyOverrides: true,
  looksAtVariantsOfParent: false,
  constraints: {
    trimsValues: true,
    needsValues: false,
    number: numberOf,
    actualNumber: Number,
    isEqual: (a, b) => a === b,
    instant: timeOf,
    comparesFieldWithDate: false,
    versionText: (value) => value,
    needsVersion: false,
    callerAddress: parseAddress,
    defaultPattern: undefined,
  },
}

const PERCENTAGE = /^\+?\d+$/
const OPERAND_NUMBER = /^\s*[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?\s*$/
const ACTUAL_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const INFINITE = /^([+-]?)(?:inf|infinity)$/i
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/
const PLAIN_ADDRESS = /^[0-9a-f.:]+$/i

const YGGDRASIL: ProfileRules = {
  name: 'yggdrasil',
  isFlagOffByFlaw: true,
  hashedText: utf8Text,
  splitList: (list) => list.split(',').map((item) => item.trim()),
  matchesAddressText: false,
  percentage: (value) => {
    const number = PERCENTAGE.test(textOf(value) ?? '') ? Number(value) : Number.NaN
    return number > 100 ? undefined : number
  },
  rolloutGroup: ({ groupId }, flag) => textOf(groupId) ?? flag,
  isGroupOptional: false,
  rolloutStickiness: (given, field) => stickinessOf(textOf(given) ?? 'default', field),
  variantStickiness: (given, field) => stickinessOf(textOf(given) ?? 'default', field),
  strategyVariants: (parameters, _first, flag) => ({
    groupId: textOf(parameters.groupId) ?? flag,
    stickiness: parameters.stickiness,
  }),
  hasStrategyOverrides: false,
  looksAtVariantsOfParent: true,
  constraints: {
    trimsValues: false,
    needsValues: true,
    number: (value) => (OPERAND_NUMBER.test(textOf(value) ?? '') ? Number(value) : undefined),
    actualNumber: (text) => {
      const sign = INFINITE.exec(text)?.[1]
      if (sign !== undefined) return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
      return ACTUAL_NUMBER.test(text) ? Number(text) : Number.NaN
    },
    isEqual: (a, b) => Math.abs(a - b) < Number.EPSILON,
    instant: rfc3339,
    comparesFieldWithDate: true,
    versionText: (value) => (/^\d/.test(value) && !/\s$/.test(value) ? value : undefined),
    needsVersion: true,
    callerAddress: (text) => (PLAIN_ADDRESS.test(text) ? parseAddress(text) : undefined),
    defaultPattern: '',
  },
}

function stickinessOf(name: string, field: (name: string) => number): Stickiness {
  if (name === 'random') return CHANCE
  return name === 'default' ? USER_OR_SESSION : fieldStickiness(field(name))
}

function rfc3339(value: unknown): number | undefined {
  const text = textOf(value)?.trim() ?? ''
  const time = RFC_3339.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

const RULES: Readonly<Record<EvaluationProfile, ProfileRules>> = { node: NODE, yggdrasil: YGGDRASIL }

/** Returns the rules of a profile. */
export function rulesOf(profile: EvaluationProfile): ProfileRules {
  return RULES[profile]
}

/** Reads a text as a version, as a profile spells it. */
export function versionOf(text: string, { versionText }: ConstraintRules) {
  const spelled = versionText(text)
  return spelled === undefined ? undefined : parseSemver(spelled)
}
