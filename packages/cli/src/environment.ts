/** Environment variables, as a command may see them. */
export type Environment = { readonly [name: string]: string | undefined }
