package main

// checkModel says what the agents of this command do a task with. A program that
// imports Drover can give them another model (Options.Model).
func checkModel() finding {
	return finding{"model", true, indented("plain: follows written steps and asks no language model\n" +
		"a task in free words is not begun: it fails with MODEL_FAILED, which names what is no step\n" +
		"docs/plain-tasks.md has the steps; a program that imports Drover can set another model")}
}
