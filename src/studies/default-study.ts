/** Study file of a project that names no other one. */
export const DEFAULT_STUDY = 'data/study.sqlite'
