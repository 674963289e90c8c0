import {
  Activity,
  AppWindow,
  Bot,
  BotMessageSquare,
  Braces,
  Download,
  FolderKanban,
  GitBranch,
  Key,
  KeyRound,
  Link2,
  LogIn,
  Milestone,
  RadioTower,
  Server,
  ShieldCheck,
  Siren,
  Tags,
  User,
  Users,
  Webhook,
} from 'lucide-react'
import type { Texts } from '../../text/en.ts'
import type { NavPage } from '../nav.ts'

/** Group of settings pages under a common heading. */
export interface SettingsGroup {
  readonly id: keyof Texts['nav']
  readonly pages: readonly NavPage[]
}

/** Settings pages of the installation, in menu order. */
export const SETTINGS_GROUPS: readonly SettingsGroup[] = [
  {
    id: 'organization',
    pages: [
      { id: 'projects', icon: FolderKanban, link: () => ({ to: '/projects' }), isAt: /^\/projects\/?$/ },
      { id: 'environments', icon: Server, link: () => ({ to: '/environments' }) },
      { id: 'contextFields', icon: Braces, link: () => ({ to: '/context-fields' }) },
      { id: 'tagTypes', icon: Tags, link: () => ({ to: '/tag-types' }) },
      { id: 'strategyTypes', icon: GitBranch, link: () => ({ to: '/strategy-types' }) },
      { id: 'releaseTemplates', icon: Milestone, link: () => ({ to: '/release-templates' }) },
    ],
  },
  {
    id: 'access',
    pages: [
      { id: 'users', icon: User, link: () => ({ to: '/users' }), needs: 'ADMIN' },
      { id: 'groups', icon: Users, link: () => ({ to: '/groups' }), needs: 'ADMIN' },
      { id: 'roles', icon: ShieldCheck, link: () => ({ to: '/roles' }), needs: 'READ_ROLE' },
      { id: 'serviceAccounts', icon: Bot, link: () => ({ to: '/service-accounts' }), needs: 'ADMIN' },
      { id: 'inviteLinks', icon: Link2, link: () => ({ to: '/invite-links' }), needs: 'ADMIN' },
      { id: 'singleSignOn', icon: Key, link: () => ({ to: '/single-sign-on' }), needs: 'ADMIN' },
      { id: 'logins', icon: LogIn, link: () => ({ to: '/logins' }), needs: 'ADMIN' },
    ],
  },
  {
    id: 'api',
    pages: [
      { id: 'tokens', icon: KeyRound, link: () => ({ to: '/tokens' }), needs: 'READ_CLIENT_API_TOKEN' },
      {
        id: 'applications',
        icon: AppWindow,
        link: () => ({ to: '/applications' }),
        isAt: /^\/applications(\/.*)?$/,
      },
      { id: 'fleet', icon: RadioTower, link: () => ({ to: '/fleet' }) },
      { id: 'integrations', icon: Webhook, link: () => ({ to: '/integrations' }) },
      { id: 'signalEndpoints', icon: Siren, link: () => ({ to: '/signal-endpoints' }), needs: 'ADMIN' },
      { id: 'agents', icon: BotMessageSquare, link: () => ({ to: '/agents' }) },
    ],
  },
  {
    id: 'system',
    pages: [
      { id: 'import', icon: Download, link: () => ({ to: '/import' }), needs: 'ADMIN' },
      { id: 'instance', icon: Activity, link: () => ({ to: '/instance' }) },
    ],
  },
]
