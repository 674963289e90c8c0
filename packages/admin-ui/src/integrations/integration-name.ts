import type { Integration, IntegrationInput, IntegrationProvider } from '@burgee/protocol/administration/integration'

/** Returns the display name of an integration: its description or, if there is none, the name of its kind. */
export function getIntegrationName(
  { provider, description }: Pick<IntegrationInput, 'provider' | 'description'>,
  providers: readonly IntegrationProvider[],
): string {
  return description?.trim() || getProviderName(provider, providers)
}

/** Returns the display name of a kind. */
export const getProviderName = (provider: string, providers: readonly IntegrationProvider[]): string =>
  providers.find(({ name }) => name === provider)?.displayName ?? provider

const ALL = '*'

/**
 * Returns true if an integration covers all projects. Private projects are an exception, because they must be selected
 * by name.
 */
export const isForAllProjects = ({ projects, hiddenProjects = 0 }: Pick<Integration, 'projects' | 'hiddenProjects'>) =>
  projects.includes(ALL) || projects.length + hiddenProjects === 0
