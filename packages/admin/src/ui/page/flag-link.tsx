import { Link } from '@tanstack/react-router'
import ui from '../ui.module.css'

/** A flag's name, with the way to it. */
export function FlagLink({ project, feature }: { project: string; feature: string }) {
  return (
    <Link to="/projects/$project/features/$feature" params={{ project, feature }} className={ui.link ?? ''}>
      {feature}
    </Link>
  )
}
