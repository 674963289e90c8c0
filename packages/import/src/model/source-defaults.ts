import { CONTEXT_FIELDS } from '@burgee/protocol/context'
import type { Constraint } from '@burgee/protocol/feature'
import type {
  SourceContextField,
  SourceEnvironment,
  SourceFlag,
  SourceProject,
  SourceRule,
  SourceState,
  SourceStrategy,
} from './source-flags.ts'

type Named<T, K extends keyof T> = Pick<T, K> & Partial<T>

/** Creates a flag from the properties that a source knows. All other properties get the defaults of a new flag. */
export function createFlag(known: Named<SourceFlag, 'name' | 'project'>): SourceFlag {
  return {
    type: 'release',
    description: null,
    stale: false,
    potentiallyStale: false,
    impressionData: false,
    createdAt: 0,
    archivedAt: null,
    lastSeenAt: null,
    createdByUserId: null,
    states: [],
    dependencies: [],
    tags: [],
    stages: [],
    ...known,
  }
}

/** Creates a strategy. If the strategy has no id, the writer generates an id. */
export function createStrategy(known: Named<SourceStrategy, 'name'>): SourceStrategy {
  return {
    id: undefined,
    title: null,
    disabled: false,
    parameters: {},
    constraints: [],
    variants: [],
    segments: [],
    createdAt: 0,
    ...known,
  }
}

/** Creates the state of a flag in an environment. */
export function createState(known: Named<SourceState, 'environment' | 'enabled'>): SourceState {
  return { strategies: [], variants: [], lastSeenAt: null, ...known }
}

/** Creates a project that is in all of the given environments. */
export function createProject(known: Named<SourceProject, 'id'>, environments: readonly string[]): SourceProject {
  return {
    name: known.id,
    description: null,
    mode: 'open',
    defaultStickiness: 'default',
    createdAt: 0,
    archivedAt: null,
    featureLimit: null,
    namingPattern: null,
    namingExample: null,
    namingDescription: null,
    environments: environments.map((environment) => ({ environment, defaultStrategy: null })),
    ...known,
  }
}

/** Creates an environment. If the type is missing, derives the type from the name. */
export function createEnvironment(known: Named<SourceEnvironment, 'name'>): SourceEnvironment {
  return { type: deriveEnvironmentType(known.name), sortOrder: 100, enabled: true, protected: false, ...known }
}

function deriveEnvironmentType(name: string): string {
  if (/^dev/i.test(name)) return 'development'
  if (/^(test|qa)/i.test(name)) return 'test'
  return /^(stag|pre)/i.test(name) ? 'preproduction' : 'production'
}

/** Returns the context fields that rules use, except built-in context fields. */
export function listContextFields(
  rules: readonly Pick<SourceRule, 'constraints' | 'parameters' | 'variants'>[],
): SourceContextField[] {
  const known = new Set<string>([...CONTEXT_FIELDS, 'default', 'random', ''])
  const constrained = rules.flatMap(({ constraints }) => constraints.map(({ contextName }: Constraint) => contextName))
  const sticky = new Set(
    rules.flatMap(({ parameters, variants }) => [
      parameters.stickiness ?? '',
      ...variants.map(({ stickiness }) => stickiness ?? ''),
    ]),
  )
  const names = [...new Set([...constrained, ...sticky])].filter((name) => !known.has(name)).sort()
  return names.map((name) => ({
    name,
    description: null,
    stickiness: sticky.has(name),
    sortOrder: 100,
    legalValues: [],
    createdAt: 0,
  }))
}
