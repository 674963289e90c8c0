import { CONTEXT_FIELDS } from '@burgee/protocol/context'
import type { Constraint } from '@burgee/protocol/feature'
import type {
  HeldContextField,
  HeldEnvironment,
  HeldFlag,
  HeldProject,
  HeldRule,
  HeldState,
  HeldStrategy,
} from './held-flags.ts'

type Named<T, K extends keyof T> = Pick<T, K> & Partial<T>

/** Creates a flag from the properties that a source knows, with the defaults of a new flag for the rest. */
export function flagWith(known: Named<HeldFlag, 'name' | 'project'>): HeldFlag {
  return {
    ...{ type: 'release', description: null, stale: false, potentiallyStale: false, impressionData: false },
    ...{ createdAt: 0, archivedAt: null, lastSeenAt: null, createdByUserId: null },
    ...{ states: [], dependencies: [], tags: [], stages: [] },
    ...known,
  }
}

/** Creates a strategy; without an id, the writer generates one. */
export function strategyWith(known: Named<HeldStrategy, 'name'>): HeldStrategy {
  return {
    ...{ id: undefined, title: null, disabled: false, parameters: {}, constraints: [], variants: [], segments: [] },
    ...{ createdAt: 0 },
    ...known,
  }
}

/** Creates the state of a flag in an environment. */
export function stateWith(known: Named<HeldState, 'environment' | 'enabled'>): HeldState {
  return { strategies: [], variants: [], lastSeenAt: null, ...known }
}

/** Creates a project that is in all of the given environments. */
export function projectWith(known: Named<HeldProject, 'id'>, environments: readonly string[]): HeldProject {
  return {
    ...{
      name: known.id,
      description: null,
      mode: 'open',
      defaultStickiness: 'default',
      createdAt: 0,
      archivedAt: null,
    },
    ...{ featureLimit: null, namingPattern: null, namingExample: null, namingDescription: null },
    environments: environments.map((environment) => ({ environment, defaultStrategy: null })),
    ...known,
  }
}

/** Creates an environment. Derives a missing type from its name. */
export function environmentWith(known: Named<HeldEnvironment, 'name'>): HeldEnvironment {
  return { type: typeOf(known.name), sortOrder: 100, enabled: true, protected: false, ...known }
}

function typeOf(name: string): string {
  if (/^dev/i.test(name)) return 'development'
  if (/^(test|qa)/i.test(name)) return 'test'
  return /^(stag|pre)/i.test(name) ? 'preproduction' : 'production'
}

/** Returns the context fields that rules use, except built-in ones. */
export function fieldsReadBy(
  rules: readonly Pick<HeldRule, 'constraints' | 'parameters' | 'variants'>[],
): HeldContextField[] {
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
    ...{ name, description: null, stickiness: sticky.has(name), sortOrder: 100, legalValues: [], createdAt: 0 },
  }))
}
