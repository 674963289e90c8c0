import { Badge, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ENVIRONMENTS } from '../api/queries.ts'
import { useFormat, useTexts } from '../text/texts.tsx'
import { Page } from '../ui/page.tsx'
import { Notice, ProblemNotice } from '../ui/problem.tsx'
import ui from '../ui/ui.module.css'

/** All environments, with what is in them. */
export function EnvironmentsPage() {
  const t = useTexts()
  const { number } = useFormat()
  const { data, error, refetch } = useQuery(ENVIRONMENTS)
  return (
    <Page
      title={t.environments.title}
      intro={
        <Text c="dimmed" mb="md">
          {t.environments.intro}
        </Text>
      }
    >
      {error !== null && data === undefined && <ProblemNotice error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton height={240} role="status" aria-label={t.common.loading} />}
      {data?.length === 0 && <Notice title={t.environments.empty}>{t.environments.emptyText}</Notice>}
      {data !== undefined && data.length > 0 && (
        <div className={`${ui.card} ${ui.scroller}`}>
          <table className={ui.table} aria-label={t.environments.title}>
            <thead>
              <tr>
                <th scope="col">{t.common.name}</th>
                <th scope="col">{t.common.type}</th>
                <th scope="col">{t.flags.state}</th>
                <th scope="col" className={ui.number}>
                  {t.environments.enabledFlags}
                </th>
                <th scope="col" className={ui.number}>
                  {t.environments.projects}
                </th>
                <th scope="col" className={ui.number}>
                  {t.environments.tokens}
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((one) => (
                <tr key={one.name}>
                  <th scope="row">{one.name}</th>
                  <td>{one.type}</td>
                  <td>
                    <Badge variant={one.enabled ? 'light' : 'default'} tt="none">
                      {one.enabled ? t.environments.active : t.environments.inactive}
                    </Badge>
                  </td>
                  <td className={ui.number}>{number(one.enabledToggleCount)}</td>
                  <td className={ui.number}>{number(one.projectCount)}</td>
                  <td className={ui.number}>{number(one.apiTokenCount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Page>
  )
}
