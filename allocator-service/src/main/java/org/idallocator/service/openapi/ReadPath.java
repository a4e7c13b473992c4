package org.idallocator.service.openapi;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.parameters.PathParameter;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.api.Inspection;
import org.idallocator.service.openapi.Answers.Shown;
import org.idallocator.service.openapi.Problems.Kind;
import org.idallocator.service.openapi.Samples.Sample;
import org.idallocator.service.text.Forms;
import org.idallocator.zk.operator.Holder;

/** The path at which IDs of one scheme are read. */
final class ReadPath<T extends Id> {
    private static final String SAID =
            "What the ID says. With holderUnknown, ZooKeeper has not told in time who holds the slot: asking"
                    + " again within a second tells what it has said since";

    private final Scheme<T> scheme;
    private final Inputs<T> inputs;
    private final Samples samples;
    private final T example;

    ReadPath(Scheme<T> scheme, Inputs<T> inputs, ExampleIds<T> examples, Samples samples) {
        this.scheme = scheme;
        this.inputs = inputs;
        this.samples = samples;
        this.example = examples.some(1).get(0);
    }

    PathItem item() {
        ApiResponses responses = new ApiResponses();
        Inspection inspection = Inspection.of(scheme, example, Holder.NOBODY);
        responses.addApiResponse("200", Answers.json(SAID, Shapes.INSPECTION, List.of(new Shown("one", inspection))));
        Problems.add(responses, List.of(Kind.BAD_REQUEST, Kind.NOT_ACCEPTABLE, Kind.UNAVAILABLE));
        String name = scheme.name();
        Operation get = new Operation()
                .operationId("read" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1))
                .addTagsItem(name)
                .summary("What an ID of " + name + " says, and who holds its slot")
                .addParametersItem(new PathParameter()
                        .name("id")
                        .required(true)
                        .description("Canonical text or hex; with form, a text of that form")
                        .schema(Schemas.typed("string"))
                        .example(example.toString()))
                .addParametersItem(inputs.formOfText())
                .responses(responses);
        samples.add(get, calls());
        return new PathItem().get(get);
    }

    private List<Sample> calls() {
        String path = "/ids/" + scheme.name() + "/";
        List<Sample> calls = new ArrayList<>();
        calls.add(Samples.get(path + example));
        for (Form<T> form : Forms.all(scheme)) {
            calls.add(Samples.get(path + form.write().apply(example) + "?form=" + form.name()));
        }
        return calls;
    }
}
