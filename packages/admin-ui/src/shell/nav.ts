import type { ToOptions } from '@tanstack/react-router'
import {
  Activity,
  AppWindow,
  Archive,
  Braces,
  BrushCleaning,
  ChartColumn,
  Download,
  Flag,
  FlaskConical,
  FolderKanban,
  GitBranch,
  GitPullRequest,
  KeyRound,
  Layers,
  type LucideIcon,
  Plug,
  ScrollText,
  Server,
  Settings,
  Tags,
  Users,
  Webhook,
} from 'lucide-react'
import type { Texts } from '../text/en.ts'
import { listAccessPages } from './access/access-pages.ts'

/** Page linked from the menu and the palette. */
export interface NavPage {
  readonly id: keyof Texts['nav']
  readonly icon: LucideIcon
  readonly link: (project: string) => ToOptions
  /** Permission required to see the page, or a function that returns the link for the user's permissions, if any. */
  readonly needs?: string | ((may: PermissionCheck) => ToOptions | undefined)
  /** Paths at which the menu marks the page; by default, the path of its link. */
  readonly isAt?: RegExp
}

type PermissionCheck = (permission: string) => boolean

/** Returns the link of a page for a user; undefined if they may not see it. */
export function getPageLink({ link, needs }: NavPage, may: PermissionCheck, project: string): ToOptions | undefined {
  if (typeof needs === 'function') return needs(may)
  return needs === undefined || may(needs) ? link(project) : undefined
}

/** Pages for daily work. */
export const WORK_PAGES: readonly NavPage[] = [
  {
    id: 'flags',
    icon: Flag,
    link: (project) => ({ to: '/projects/$project', params: { project } }),
    isAt: /^\/projects\/[^/]+(\/(features\/.*|compare))?$/,
  },
  { id: 'segments', icon: Layers, link: () => ({ to: '/segments' }) },
  { id: 'playground', icon: FlaskConical, link: () => ({ to: '/playground' }) },
  { id: 'events', icon: ScrollText, link: () => ({ to: '/events' }) },
  {
    id: 'changeRequests',
    icon: GitPullRequest,
    link: (project) => ({ to: '/projects/$project/change-requests', params: { project } }),
  },
  { id: 'stale', icon: BrushCleaning, link: (project) => ({ to: '/stale', search: { project } }) },
  {
    id: 'insights',
    icon: ChartColumn,
    link: (project) => ({ to: '/projects/$project/insights', params: { project } }),
  },
  { id: 'connect', icon: Plug, link: (project) => ({ to: '/connect', search: { project } }) },
  { id: 'archive', icon: Archive, link: () => ({ to: '/archive' }) },
  { id: 'settings', icon: Settings, link: (project) => ({ to: '/projects/$project/settings', params: { project } }) },
]

/** Pages for administrators of the installation. */
export const ADMIN_PAGES: readonly NavPage[] = [
  { id: 'projects', icon: FolderKanban, link: () => ({ to: '/projects' }), isAt: /^\/projects$/ },
  { id: 'applications', icon: AppWindow, link: () => ({ to: '/applications' }), isAt: /^\/applications(\/.*)?$/ },
  { id: 'environments', icon: Server, link: () => ({ to: '/environments' }) },
  { id: 'contextFields', icon: Braces, link: () => ({ to: '/context-fields' }) },
  { id: 'strategyTypes', icon: GitBranch, link: () => ({ to: '/strategy-types' }) },
  { id: 'tagTypes', icon: Tags, link: () => ({ to: '/tag-types' }) },
  { id: 'tokens', icon: KeyRound, link: () => ({ to: '/tokens' }), needs: 'READ_CLIENT_API_TOKEN' },
  { id: 'integrations', icon: Webhook, link: () => ({ to: '/integrations' }) },
  {
    id: 'users',
    icon: Users,
    link: () => ({ to: '/users' }),
    needs: (may) => {
      const [to] = listAccessPages(may)
      return to && { to }
    },
    isAt: /^\/(users|invite-links|groups|service-accounts|roles|single-sign-on|logins)$/,
  },
  { id: 'import', icon: Download, link: () => ({ to: '/import' }), needs: 'ADMIN' },
  { id: 'instance', icon: Activity, link: () => ({ to: '/instance' }) },
]
