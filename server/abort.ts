/** Waiting that can be given up, for the rooms that do not know the models. */
export { abortable } from '../models/abort.ts';
