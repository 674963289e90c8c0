/** Runs the command from its sources, so that no build is needed before a measurement. */
import { runCommand } from '../../bin/src/command.ts'

process.exitCode = await runCommand(process.argv.slice(2))
