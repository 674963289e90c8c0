/** The command, from its sources: what is measured is what stands there, built or not. */
import { runCommand } from '../../bin/src/command.ts'

process.exitCode = await runCommand(process.argv.slice(2))
