import { type Address, parseAddress } from '@burgee/protocol/address'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import { type Raw, splitList, toFieldName, toNumber, toText, toTime } from './raw-value.ts'
import { parseSemver } from './semver.ts'
import { CALLER, CHANCE, createFieldStickiness, type Stickiness, USER_OR_SESSION } from './stickiness.ts'
import { toUtf8Text } from './utf8-text.ts'

/**
 * Rules in which the two families of SDKs differ. All other rules are the same for both families. Source of the `node`
 * profile: the Node SDK. Source of the `yggdrasil` profile: observed behavior of version 2.0 of that engine.
 */
export interface ProfileRules {
  readonly name: EvaluationProfile
  /**
   * True if a part that cannot be evaluated turns the whole flag off. False if it only disables the strategy that
   * contains it.
   */
  readonly isFlagOffByFlaw: boolean
  /** Returns a string whose low bytes are the bytes to hash. */
  readonly hashedText: (text: string) => string
  /** Splits a parameter that is a comma-separated list. */
  readonly splitList: (list: string) => string[]
  /**
   * True if `remoteAddress` also matches an entry with the same text as the address, even if the text is not a valid
   * address.
   */
  readonly matchesAddressText: boolean
  /** Parses a percentage. NaN means that the percentage includes no context; undefined means that it is invalid. */
  readonly percentage: (value: unknown) => number | undefined
  /** Returns the group of a rollout from its parameters and the flag's name. */
  readonly rolloutGroup: (parameters: Raw, flag: string) => string
  /** False if a legacy strategy without a group matches no context. */
  readonly isGroupOptional: boolean
  /** Returns the stickiness with this name for a rollout. `field` returns the number assigned to a context field. */
  readonly rolloutStickiness: (name: unknown, field: (name: string) => number) => Stickiness
  /** Returns the stickiness with this name for a list of variants. */
  readonly variantStickiness: (name: unknown, field: (name: string) => number) => Stickiness
  /** Returns the group and the stickiness for the variants of a strategy. */
  readonly strategyVariants: (parameters: Raw, first: Raw | undefined, flag: string) => StrategyVariantRule
  /** True if overrides also apply to the variants of strategies. */
  readonly hasStrategyOverrides: boolean
  /**
   * False if a dependency checks variants only for a parent that must be on. True if a dependency also checks variants
   * for a parent that must be off; in this case, a parent without variants satisfies the dependency.
   */
  readonly checksParentVariants: boolean
  readonly constraints: ConstraintRules
}

/** Group and stickiness for the variants of a strategy. */
export interface StrategyVariantRule {
  readonly groupId: string
  readonly stickiness: unknown
}

/** Rules for parsing operands and context values of constraints. */
export interface ConstraintRules {
  /** True if values in a list are trimmed and empty values are removed. */
  readonly trimsValues: boolean
  /** True if an empty list of values is invalid for operators other than IN and NOT_IN. */
  readonly needsValues: boolean
  /** Parses a numeric operand; undefined means that the operand is invalid. */
  readonly number: (value: unknown) => number | undefined
  /** Parses a numeric context value; comparisons with NaN are false. */
  readonly actualNumber: (text: string) => number
  readonly isEqual: (a: number, b: number) => boolean
  /** Parses a date operand to milliseconds; undefined means that the operand is invalid. */
  readonly instant: (value: unknown) => number | undefined
  /**
   * True if dates are compared with the named field, so that the time of the context is used only for `currentTime`.
   * False if dates are always compared with the time of the context.
   */
  readonly comparesFieldWithDate: boolean
  /** Returns the string to parse as a version, or undefined if the value cannot be a version. */
  readonly versionText: (value: string) => string | undefined
  /** True if an operand that is not a version makes the constraint invalid. */
  readonly needsVersion: boolean
  /** Parses the address of a caller. */
  readonly callerAddress: (text: string) => Address | undefined
  /** Pattern to use for an operand that is not a string; undefined means that nothing matches. */
  readonly defaultPattern: string | undefined
}

const NODE: ProfileRules = {
  name: 'node',
  isFlagOffByFlaw: false,
  hashedText: (text) => text,
  splitList,
  matchesAddressText: true,
  percentage: toNumber,
  rolloutGroup: ({ groupId }) => toText(groupId || '') ?? '',
  isGroupOptional: true,
  rolloutStickiness: (given, field) => {
    const name = toText(given || 'default') ?? ''
    if (name === 'random') return CHANCE
    return name === 'default' ? USER_OR_SESSION : createFieldStickiness(field(name))
  },
  variantStickiness: (given, field) => {
    const name = given === undefined ? 'default' : toFieldName(given)
    return name === 'default' ? CALLER : createFieldStickiness(field(name))
  },
  // a missing groupId is hashed as the string "undefined"
  strategyVariants: (parameters, first) => ({
    groupId: toFieldName(parameters.groupId),
    stickiness: first?.stickiness || parameters.stickiness,
  }),
  hasStrategyOverrides: true,
  checksParentVariants: false,
  constraints: {
    trimsValues: true,
    needsValues: false,
    number: toNumber,
    actualNumber: Number,
    isEqual: (a, b) => a === b,
    instant: toTime,
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
  hashedText: toUtf8Text,
  splitList: (list) => list.split(',').map((item) => item.trim()),
  matchesAddressText: false,
  percentage: (value) => {
    const number = PERCENTAGE.test(toText(value) ?? '') ? Number(value) : Number.NaN
    return number > 100 ? undefined : number
  },
  rolloutGroup: ({ groupId }, flag) => toText(groupId) ?? flag,
  isGroupOptional: false,
  rolloutStickiness: (given, field) => toStickiness(toText(given) ?? 'default', field),
  variantStickiness: (given, field) => toStickiness(toText(given) ?? 'default', field),
  strategyVariants: (parameters, _first, flag) => ({
    groupId: toText(parameters.groupId) ?? flag,
    stickiness: parameters.stickiness,
  }),
  hasStrategyOverrides: false,
  checksParentVariants: true,
  constraints: {
    trimsValues: false,
    needsValues: true,
    number: (value) => (OPERAND_NUMBER.test(toText(value) ?? '') ? Number(value) : undefined),
    actualNumber: (text) => {
      const sign = INFINITE.exec(text)?.[1]
      if (sign !== undefined) return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
      return ACTUAL_NUMBER.test(text) ? Number(text) : Number.NaN
    },
    isEqual: (a, b) => Math.abs(a - b) < Number.EPSILON,
    instant: parseRfc3339,
    comparesFieldWithDate: true,
    versionText: (value) => (/^\d/.test(value) && !/\s$/.test(value) ? value : undefined),
    needsVersion: true,
    callerAddress: (text) => (PLAIN_ADDRESS.test(text) ? parseAddress(text) : undefined),
    defaultPattern: '',
  },
}

function toStickiness(name: string, field: (name: string) => number): Stickiness {
  if (name === 'random') return CHANCE
  return name === 'default' ? USER_OR_SESSION : createFieldStickiness(field(name))
}

function parseRfc3339(value: unknown): number | undefined {
  const text = toText(value)?.trim() ?? ''
  const time = RFC_3339.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

const RULES: Readonly<Record<EvaluationProfile, ProfileRules>> = { node: NODE, yggdrasil: YGGDRASIL }

/** Returns the rules of a profile. */
export function getProfileRules(profile: EvaluationProfile): ProfileRules {
  return RULES[profile]
}

/** Parses a version in the notation that the profile allows. */
export function parseVersion(text: string, { versionText }: ConstraintRules) {
  const spelled = versionText(text)
  return spelled === undefined ? undefined : parseSemver(spelled)
}
