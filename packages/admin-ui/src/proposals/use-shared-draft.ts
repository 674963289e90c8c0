import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import { useQueryClient } from '@tanstack/react-query'
import { findDraftEnvironment, getGuardsQuery, useGuards } from './guard.ts'
import { usePropose } from './use-propose.ts'

/**
 * Returns functions for changes that affect all environments, such as archiving a flag. If an environment of the
 * project requires change requests, the change is added to the draft for this environment.
 */
export function useSharedDraft(project: string) {
  const queries = useQueryClient()
  const propose = usePropose()
  return {
    /**
     * Environment to whose draft the change is added; undefined if the change is applied directly. For display only.
     */
    environment: useGuards(project).draftEnvironment,
    /**
     * Returns that environment, after fetching the settings if necessary. Rejects if the settings cannot be fetched.
     */
    find: async (): Promise<string | undefined> =>
      findDraftEnvironment(await queries.fetchQuery(getGuardsQuery(project))),
    /** Adds the changes to the draft. */
    propose: (environment: string, changes: readonly ChangeInput[]): Promise<void> =>
      propose({ project, environment }, changes),
  }
}
