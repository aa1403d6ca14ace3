// Everything that does something, in one place: it is loaded with the first call, while nothing waits for it.
export { createAskUser } from './ask-user.ts'
export { createBackground } from './command/background.ts'
export { createCommandOutput } from './command/command-output.ts'
export { createReadFile } from './read-file.ts'
export { createRunCommand } from './run-command.ts'
export { createTodoList } from './todo-list.ts'
export { createWorkspace } from './workspace.ts'
export { createWriteFile } from './write-file.ts'
