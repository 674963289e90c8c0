import { isObject } from '@burgee/kit/input/is-object'
import type { Note } from '../model/fidelity.ts'
import type { SourceDependency } from '../model/source-flags.ts'
import { isSwitch, type NamedValue } from '../rules/typed-values.ts'
import { findUnreadKey } from './known-keys.ts'

type Json = Readonly<Record<string, unknown>>

/** A flag of a project: its values, and its state in each environment. */
export interface ProjectFlag {
  readonly key: string
  readonly values: readonly NamedValue[]
  readonly states: ReadonlyMap<string, Json>
}

/**
 * Parents of a flag, and the environments in which the flag is imported as off because its prerequisites cannot be
 * expressed.
 */
export interface Prerequisites {
  readonly dependencies: readonly SourceDependency[]
  readonly offIn: ReadonlyMap<string, string>
  readonly notes: readonly Note[]
}

/**
 * Converts prerequisites to parent flags that must have a certain value. In Burgee, a flag has the same parents in all
 * environments, so the prerequisites of each environment apply in all environments.
 */
export function convertPrerequisites(flag: ProjectFlag, flags: ReadonlyMap<string, ProjectFlag>): Prerequisites {
  const dependencies = new Map<string, SourceDependency>()
  const offIn = new Map<string, string>()
  const requested = [...flag.states].filter(([, state]) => state.on === true)
  for (const [environment, state] of requested) {
    for (const { key, index, unread } of listParents(state)) {
      const parent = flags.get(key)
      const why = unread ?? findObstacle(parent, index, environment)
      if (why !== undefined || parent === undefined) offIn.set(environment, `${why} (prerequisite ${key})`)
      else {
        const own = createDependency(parent, index)
        const known = dependencies.get(parent.key)
        // a flag cannot require two values of one parent at once
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(own))
          offIn.set(environment, `it requires another value of ${parent.key} in other environments`)
        else dependencies.set(parent.key, own)
      }
    }
  }
  const everywhere = requested.every(([, state]) => listParents(state).length === dependencies.size)
  return { dependencies: [...dependencies.values()], offIn, notes: everywhere ? [] : [createNarrowerNote(flag.key)] }
}

function createNarrowerNote(name: string): Note {
  return {
    kind: 'dependency',
    name,
    fidelity: 'approximated',
    words: 'its prerequisites differ by environment; here, the parents of all environments apply in each',
  }
}

function findObstacle(parent: ProjectFlag | undefined, variation: number, environment: string): string | undefined {
  if (parent === undefined) return 'the flag does not exist'
  const state = parent.states.get(environment)
  if (state?.on !== true) return 'the flag is off'
  if (listParents(state).length > 0) return 'the flag has prerequisites of its own, and parents have no parents here'
  if (isSwitch(parent.values) && parent.values[variation]?.value !== true) return 'it must be on with the value false'
  return parent.values[variation] === undefined ? 'it has no such value' : undefined
}

function createDependency(parent: ProjectFlag, variation: number): SourceDependency {
  const name = parent.values[variation]?.name ?? ''
  return { parent: parent.key, enabled: true, variants: isSwitch(parent.values) ? [] : [name] }
}

/**
 * Returns the prerequisites of a flag, each with the parent's key and the index of the required value. Returns an
 * explanation instead for a prerequisite that is malformed.
 */
function listParents({ prerequisites }: Json) {
  const list: readonly unknown[] = Array.isArray(prerequisites) ? prerequisites : []
  return list.map((one) => {
    const own = isObject(one) ? one : {}
    const index = typeof own.variation === 'number' ? own.variation : Number.NaN
    return { key: String(own.key), index, unread: findUnreadKey('prerequisite', own)?.unknown }
  })
}
