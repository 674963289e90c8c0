import type { Integration, IntegrationInput, IntegrationProvider } from '@burgee/protocol/administration/integration'

/** What an integration is called: by its description, else by its kind. */
export function nameOf(
  { provider, description }: Pick<IntegrationInput, 'provider' | 'description'>,
  providers: readonly IntegrationProvider[],
): string {
  return description?.trim() || kindOf(provider, providers)
}

/** What a kind is called. */
export const kindOf = (provider: string, providers: readonly IntegrationProvider[]): string =>
  providers.find(({ name }) => name === provider)?.displayName ?? provider

const ALL = '*'

/** Whether an integration is for all projects: of private ones it hears of those alone that it names. */
export const isOfAllProjects = ({ projects, hiddenProjects = 0 }: Pick<Integration, 'projects' | 'hiddenProjects'>) =>
  projects.includes(ALL) || projects.length + hiddenProjects === 0
