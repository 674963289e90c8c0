import { Badge, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { fetchFlagRequests } from '../api/change-requests.ts'
import { useCatalogue } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import { PROPOSAL_TEXTS } from './texts.ts'

interface Props {
  readonly project: string
  readonly environment: string
  readonly feature: string
}

/** Note that an environment requires change requests, with the pending change requests for this flag. */
export function PendingChangesNote({ project, environment, feature }: Props) {
  const t = useCatalogue(PROPOSAL_TEXTS)
  const { data = [] } = useQuery({
    queryKey: ['change-requests', project, 'flag', feature],
    queryFn: () => fetchFlagRequests(project, feature),
  })
  // The user's drafts are not listed here, because they are already marked next to the switch.
  const own = data.filter((one) => one.environment === environment && one.state !== 'Draft')
  return (
    <div>
      <Badge
        variant="default"
        tt="none"
        leftSection={<Lock size={11} aria-hidden="true" />}
        title={t.guardedHint(environment)}
      >
        {t.guarded}
      </Badge>
      {own.length > 0 && (
        <Text size="sm" mt={4} component="div">
          {t.waiting}{' '}
          {own.map(({ id, title, state }) => (
            <div key={id}>
              <Link
                to="/projects/$project/change-requests/$request"
                params={{ project, request: String(id) }}
                className={ui.link ?? ''}
              >
                {t.waits(title, t.states[state] ?? state)}
              </Link>
            </div>
          ))}
        </Text>
      )}
    </div>
  )
}
