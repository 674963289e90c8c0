import { createRandom, type Random } from '@burgee/kit/seeded-random'
import type { ClientFeatures, Feature, Segment, Strategy, VariantDefinition } from '@burgee/protocol/feature'

/** Size of a document from `mixDocument`. */
export interface MixSize {
  readonly features: number
  /**
   * Number of values in each of the ten segments. 0 means no segments; the flags that would use segments then have
   * rollouts.
   */
  readonly segmentValues: number
  /** Random seed; the same seed gives the same document. */
  readonly seed?: number
}

const SEGMENTS = 10
const VALUES_OF_A_CONSTRAINT = 10
/** Number of company ids that constraints choose from: about one caller in three matches a list of ten. */
const COMPANIES = 32
const TOTAL_WEIGHT = 1000
const PERCENT = 100

/**
 * Creates a typical document: 70 % rollouts (40 % of these to everyone), 20 % lists of ten values, 10 % one of ten
 * segments; 30 % with two or three variants and a JSON payload; 10 % disabled. About 56 % of the flags are on for a
 * given user.
 */
export function mixDocument({ features, segmentValues, seed = 1 }: MixSize): ClientFeatures {
  const random = createRandom(seed)
  return {
    version: 2,
    features: Array.from({ length: features }, (_, index) => createFeature(index, segmentValues > 0, random)),
    segments:
      segmentValues > 0 ? Array.from({ length: SEGMENTS }, (_, index) => createSegment(index, segmentValues)) : [],
  }
}

function createFeature(index: number, hasSegments: boolean, random: Random): Feature {
  const name = `team-${index % 23}.feature-${String(index).padStart(5, '0')}`
  return {
    name,
    type: 'release',
    project: 'default',
    enabled: random() >= 0.1,
    stale: false,
    impressionData: false,
    strategies: [createStrategy(name, hasSegments, random)],
    variants: random() < 0.3 ? createVariants(2 + Math.floor(random() * 2)) : [],
  }
}

function createStrategy(name: string, hasSegments: boolean, random: Random): Strategy {
  const kind = random()
  if (kind < 0.2) return { name: 'default', parameters: {}, constraints: [createListConstraint(random)] }
  if (kind < 0.3 && hasSegments) {
    return { ...rollout(name, PERCENT), segments: [1 + Math.floor(random() * SEGMENTS)] }
  }
  return rollout(name, random() < 0.4 ? PERCENT : 1 + Math.floor(random() * (PERCENT - 1)))
}

function rollout(groupId: string, percent: number): Strategy {
  const parameters = { rollout: String(percent), stickiness: 'default', groupId }
  return { name: 'flexibleRollout', parameters, constraints: [] }
}

function createListConstraint(random: Random) {
  const first = Math.floor(random() * COMPANIES)
  const values = Array.from({ length: VALUES_OF_A_CONSTRAINT }, (_, index) => companyName(first + index))
  return { contextName: 'companyId', operator: 'IN', values }
}

function createSegment(index: number, count: number): Segment {
  const values = Array.from({ length: count }, (_, value) => userName(index + value * SEGMENTS))
  return {
    id: index + 1,
    name: `segment-${index + 1}`,
    constraints: [{ contextName: 'userId', operator: 'IN', values }],
  }
}

function createVariants(count: number): VariantDefinition[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `variant-${index}`,
    weight: Math.floor(TOTAL_WEIGHT / count) + Number(index < TOTAL_WEIGHT % count),
    weightType: 'variable',
    stickiness: 'default',
    payload: {
      type: 'json',
      value: JSON.stringify({ theme: `theme-${index}`, columns: index + 1, beta: index === 0 }),
    },
    overrides: [],
  }))
}

/** Returns the name of a user. Segments contain the users from number 0 on. */
export const userName = (index: number): string => `user-${index}`

/** Returns the name of a company, as used in constraints. */
export const companyName = (index: number): string => `company-${index % COMPANIES}`

/** Creates the context of a caller with eight fields; equal numbers give equal contexts. */
export function mixContext(index: number) {
  return {
    userId: userName(index),
    sessionId: `session-${index}`,
    remoteAddress: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
    appName: 'bench',
    properties: {
      companyId: companyName(index),
      country: ['de', 'fr', 'us', 'jp'][index % 4] ?? 'de',
      plan: ['free', 'team', 'enterprise'][index % 3] ?? 'free',
      appVersion: `1.${index % 20}.0`,
    },
  }
}
