import type { RepositoryState } from '../document/repository.ts'
import type { EvaluationTarget } from '../evaluation/evaluation-routes.ts'
import type { OfrepTarget } from '../ofrep/ofrep-routes.ts'
import type { FrontendScope, Frontends } from './frontends.ts'

/**
 * Functions that return the evaluation target for a caller, one function per protocol. The target contains the flags
 * that the caller's token gives access to.
 */
export interface EvaluationTargets<Access> {
  frontend(access: Access): EvaluationTarget | Promise<EvaluationTarget>
  ofrep(access: Access): OfrepTarget | Promise<OfrepTarget>
}

/** Dependencies of the lookup of evaluation targets. */
export interface EvaluationTargetParts<Access, Scope extends FrontendScope> {
  readonly frontends: Pick<Frontends, 'stateFor'>
  readonly ofrepStreams: { waitForTag(scope: Scope, tag: string): Promise<void> | undefined }
  readonly getScope: (access: Access) => Scope
  /**
   * Returns the parts of a target that do not depend on the flags. `countedAs` is the application name under which
   * flags that are requested by name are counted.
   */
  readonly createCommon: (scope: Scope, countedAs: string) => Omit<EvaluationTarget, 'answers'>
}

/**
 * Application names under which flags that are requested by name are counted. These requests do not contain an
 * application name.
 */
const COUNTED_AS = { frontend: 'frontend-api', ofrep: 'openfeature' } as const

/** Creates the lookup of evaluation targets, which are cached for each state and protocol. */
export function createEvaluationTargets<Access, Scope extends FrontendScope>(
  parts: EvaluationTargetParts<Access, Scope>,
): EvaluationTargets<Access> {
  const { frontends, ofrepStreams, getScope, createCommon } = parts
  const known = new WeakMap<RepositoryState, { frontend?: EvaluationTarget; ofrep?: OfrepTarget }>()
  const targetsOf = (state: RepositoryState) => {
    const targets = known.get(state) ?? {}
    known.set(state, targets)
    return targets
  }
  const over = <T>(access: Access, make: (state: RepositoryState, scope: Scope) => T): T | Promise<T> => {
    const scope = getScope(access)
    const state = frontends.stateFor(scope)
    return state instanceof Promise ? state.then((made) => make(made, scope)) : make(state, scope)
  }
  return {
    frontend: (access) =>
      over(access, (state, scope) => {
        const targets = targetsOf(state)
        targets.frontend ??= {
          ...createCommon(scope, COUNTED_AS.frontend),
          version: () => state.ofrep.get().tag,
          answers: () => state.answers,
        }
        return targets.frontend
      }),
    ofrep: (access) =>
      over(access, (state, scope) => {
        const targets = targetsOf(state)
        targets.ofrep ??= {
          ...createCommon(scope, COUNTED_AS.ofrep),
          version: () => state.ofrep.get().tag,
          ofrep: () => state.ofrep.get(),
          waitForTag: (tag) => ofrepStreams.waitForTag(scope, tag),
        }
        return targets.ofrep
      }),
  }
}
