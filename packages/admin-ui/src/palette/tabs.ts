import { linkOptions } from '@tanstack/react-router'

/** Returns palette entries for the tabs of pages, and for pages that no menu contains. */
export const listTabs = (project: string) =>
  [
    { id: 'stale', link: linkOptions({ to: '/stale', search: { project } }) },
    { id: 'metrics', link: linkOptions({ to: '/metrics', search: { project } }) },
    { id: 'archive', link: linkOptions({ to: '/archive', search: { project } }) },
    { id: 'compare', link: linkOptions({ to: '/projects/$project/compare', params: { project } }) },
    { id: 'approvals', link: toSettings(project, 'environments') },
    { id: 'members', link: toSettings(project, 'members') },
    { id: 'profile', link: linkOptions({ to: '/profile' }) },
    { id: 'help', link: linkOptions({ to: '/help' }) },
    { id: 'password', link: linkOptions({ to: '/password' }) },
  ] as const

const toSettings = (project: string, tab: 'environments' | 'members') =>
  linkOptions({ to: '/projects/$project/settings', params: { project }, search: { tab } })
