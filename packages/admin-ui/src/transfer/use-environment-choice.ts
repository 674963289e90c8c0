import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchProjectEnvironments } from '../api/project-settings.ts'

/** Selected environment of a project. Initially, the first environment is selected. */
export interface EnvironmentChoice {
  readonly names: readonly string[]
  /** Name of the selected environment; empty until the environments are loaded. */
  readonly environment: string
  readonly choose: (name: string) => void
  /** False if there are no environments; true while environments are loading. */
  readonly isPossible: boolean
  /** Returns the selected environment. Waits until the environments are loaded, so that an early click is not lost. */
  readonly taken: () => Promise<string>
}

/** Loads the environments of a project, and stores which one is selected. */
export function useEnvironmentChoice(project: string): EnvironmentChoice {
  const client = useQueryClient()
  const [chosen, choose] = useState('')
  const query = { queryKey: ['project-environments', project], queryFn: () => fetchProjectEnvironments(project) }
  const { data } = useQuery(query)
  const names = listVisibleNames(data ?? [])
  const taken = async (): Promise<string> => chosen || (listVisibleNames(await client.ensureQueryData(query))[0] ?? '')
  const isPossible = data === undefined || names.length > 0
  return { names, environment: chosen || (names[0] ?? ''), choose, isPossible, taken }
}

function listVisibleNames(environments: Awaited<ReturnType<typeof fetchProjectEnvironments>>): string[] {
  return environments.filter(({ visible }) => visible).map(({ name }) => name)
}
