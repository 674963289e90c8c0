import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { projectEnvironments } from '../api/project-settings.ts'

/** Selected environment of a project, initially the first one. */
export interface EnvironmentChoice {
  readonly names: readonly string[]
  /** Empty until the environments are loaded. */
  readonly environment: string
  readonly choose: (name: string) => void
  /** False if there are no environments; true while they are loading. */
  readonly isPossible: boolean
  /** Returns the selected environment. Waits for the environments, so that an early click is not lost. */
  readonly taken: () => Promise<string>
}

/** Loads the environments of a project and stores the selected one. */
export function useEnvironmentChoice(project: string): EnvironmentChoice {
  const client = useQueryClient()
  const [chosen, choose] = useState('')
  const query = { queryKey: ['project-environments', project], queryFn: () => projectEnvironments(project) }
  const { data } = useQuery(query)
  const names = namesOf(data ?? [])
  const taken = async (): Promise<string> => chosen || (namesOf(await client.ensureQueryData(query))[0] ?? '')
  const isPossible = data === undefined || names.length > 0
  return { names, environment: chosen || (names[0] ?? ''), choose, isPossible, taken }
}

function namesOf(environments: Awaited<ReturnType<typeof projectEnvironments>>): string[] {
  return environments.filter(({ visible }) => visible).map(({ name }) => name)
}
