/** Tabs of the settings, except the general tab. */
export const SETTINGS_TABS = ['environments', 'defaults', 'members', 'tokens', 'transfer', 'danger'] as const

/** URL parameters of the settings page: the selected tab; the general tab if omitted. */
export interface SettingsSearch {
  readonly tab?: (typeof SETTINGS_TABS)[number]
  /** State of the dialog for adding members: `new` while it is open. */
  readonly edit?: string
}

/** Parses the URL parameters. */
export function parseSettingsSearch({ tab, edit }: Record<string, unknown>): SettingsSearch {
  const known = SETTINGS_TABS.find((one) => one === tab)
  return { ...(known === undefined ? {} : { tab: known }), ...(edit === 'new' ? { edit } : {}) }
}
