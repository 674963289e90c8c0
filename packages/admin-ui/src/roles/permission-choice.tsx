import { Checkbox } from '@mantine/core'
import type { PermissionTable } from '../api/access/roles.ts'
import { useCatalogue } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import { PERMISSION_NAMES } from './permission-names.ts'
import { formatEntry, type PermissionSelection, toggleEntry } from './permission-selection.ts'
import styles from './roles.module.css'
import { ROLE_TEXTS } from './texts.ts'

interface Choice {
  readonly chosen: PermissionSelection
  readonly put: (chosen: PermissionSelection) => void
}

/** Checkboxes for permissions that do not depend on the environment. */
export function PermissionList({ title, names, chosen, put }: Choice & { title: string; names: readonly string[] }) {
  const permissionNames = useCatalogue(PERMISSION_NAMES)
  return (
    <fieldset className={ui.part}>
      <legend>{title}</legend>
      <div className={styles.list}>
        {names
          .filter((name) => name !== 'ADMIN')
          .map((name) => (
            <Checkbox
              key={name}
              label={permissionNames[name] ?? name}
              checked={chosen.has(name)}
              onChange={() => put(toggleEntry(chosen, name))}
            />
          ))}
      </div>
    </fieldset>
  )
}

type MatrixProps = Choice & { readonly environments: PermissionTable['environments'] }

/**
 * Table of permissions per environment: one row per permission, one column per environment, and one column for all
 * environments.
 */
export function EnvironmentMatrix({ environments, chosen, put }: MatrixProps) {
  const t = useCatalogue(ROLE_TEXTS)
  const said = useCatalogue(PERMISSION_NAMES)
  const names = environments[0]?.permissions.map(({ name }) => name) ?? []
  return (
    <fieldset className={ui.part}>
      <legend>{t.ofEnvironments}</legend>
      <div className={ui.scroller}>
        <table className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col">{t.right}</th>
              <th scope="col">{t.all}</th>
              {environments.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map((name) => {
              const what = said[name] ?? name
              const isInAll = chosen.has(name)
              return (
                <tr key={name}>
                  <th scope="row">{what}</th>
                  <td>
                    <Checkbox
                      aria-label={t.inAll(what)}
                      checked={isInAll}
                      onChange={() => put(toggleEntry(chosen, name))}
                    />
                  </td>
                  {environments.map(({ name: environment }) => (
                    <td key={environment}>
                      <Checkbox
                        aria-label={t.inOne(what, environment)}
                        checked={isInAll || chosen.has(formatEntry(name, environment))}
                        disabled={isInAll}
                        onChange={() => put(toggleEntry(chosen, formatEntry(name, environment)))}
                      />
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </fieldset>
  )
}
