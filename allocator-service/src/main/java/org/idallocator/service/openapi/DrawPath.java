package org.idallocator.service.openapi;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.draw.Media;
import org.idallocator.service.draw.Order;
import org.idallocator.service.openapi.Answers.Shown;
import org.idallocator.service.openapi.Problems.Kind;
import org.idallocator.service.openapi.Samples.Sample;
import org.idallocator.service.text.Forms;

/** The path at which IDs of one scheme are drawn, for GET, HEAD and POST. */
final class DrawPath<T extends Id> {
    private static final String FORM_BODY = "application/x-www-form-urlencoded";
    private static final String OK = "200";
    private static final String SCHEME = "scheme";
    private static final String COUNT = "count";
    private static final String IDS = "ids";
    private static final String TRANSACTION = "transaction";
    private static final int SOME = 3;

    private final Scheme<T> scheme;
    private final Inputs<T> inputs;
    private final ExampleIds<T> examples;
    private final Samples samples;
    private final String path;

    DrawPath(Scheme<T> scheme, Inputs<T> inputs, ExampleIds<T> examples, Samples samples) {
        this.scheme = scheme;
        this.inputs = inputs;
        this.examples = examples;
        this.samples = samples;
        this.path = "/ids/" + scheme.name();
    }

    /** The path; declares the text of an ID among the components. */
    PathItem item(Components components) {
        components.addSchemas(textName(), text());
        return new PathItem().get(get()).head(head()).post(post());
    }

    private Operation get() {
        Operation get = operation("draw", "Draws IDs of " + scheme.name());
        get.setResponses(responses(inputs.streamsUnknownLength(), List.of()));
        samples.add(get, getSamples());
        return get;
    }

    private Operation head() {
        Operation head = operation(
                "probe", "Tells whether " + scheme.name() + " serves, and how long GET's answer is; draws nothing");
        ApiResponses responses = new ApiResponses();
        responses.addApiResponse(OK, Answers.headers("GET would answer now"));
        Problems.addWithoutBody(responses, kinds(inputs.hasUnknownLength(), List.of()));
        head.setResponses(responses);
        samples.add(head, List.of(new Sample("-I ", path)));
        return head;
    }

    private Operation post() {
        Operation post = operation("post", "Does what GET does; parameters in the body count as those of the query");
        JsonSchema body = Schemas.options(inputs.schemas());
        post.setRequestBody(new RequestBody()
                .description("The parameters, unless they are in the query")
                .content(new Content()
                        .addMediaType(FORM_BODY, Answers.media(body, List.of()))
                        .addMediaType(Media.JSON.mediaType(), Answers.media(body, List.of(bodyExample())))));
        post.setResponses(responses(
                inputs.streamsUnknownLength(), List.of(Kind.TOO_SLOW, Kind.TOO_LARGE, Kind.UNSUPPORTED_BODY)));
        samples.add(
                post,
                List.of(
                        new Sample("-d count=" + SOME + inputs.own(" -d %s=%s") + " ", path),
                        new Sample("-H 'Content-Type: application/json' -d '{\"count\":" + SOME + "}' ", path)));
        return post;
    }

    private static Shown bodyExample() {
        return new Shown("some", Map.of(COUNT, SOME));
    }

    private Operation operation(String verb, String summary) {
        String name = scheme.name();
        Operation operation = new Operation()
                .operationId(verb + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1))
                .addTagsItem(name)
                .summary(summary);
        inputs.parameters().forEach(operation::addParametersItem);
        return operation;
    }

    private List<Sample> getSamples() {
        List<Sample> calls = new ArrayList<>();
        calls.add(Samples.get(path));
        calls.add(Samples.get(path + "?count=" + SOME + inputs.own("&%s=%s")));
        for (Media media : Media.values()) {
            calls.add(Samples.get(path + "?count=" + SOME, media.mediaType()));
        }
        Forms.all(scheme).forEach(form -> calls.add(Samples.get(path + "?form=" + form.name())));
        return calls;
    }

    private ApiResponses responses(boolean upgrade, List<Kind> ofBody) {
        ApiResponses responses = new ApiResponses();
        responses.addApiResponse(OK, ids());
        Problems.add(responses, kinds(upgrade, ofBody));
        return responses;
    }

    private static List<Kind> kinds(boolean upgrade, List<Kind> ofBody) {
        List<Kind> kinds = new ArrayList<>(List.of(Kind.BAD_REQUEST, Kind.NOT_ACCEPTABLE, Kind.UNAVAILABLE));
        kinds.addAll(ofBody);
        if (upgrade) {
            kinds.add(Kind.UPGRADE_REQUIRED);
        }
        return kinds;
    }

    private ApiResponse ids() {
        JsonSchema lines = Schemas.typed("string");
        lines.setDescription("One ID a line; of a transaction, its own ID comes first");
        JsonSchema strings = Schemas.typed("string");
        strings.setDescription("One JSON string a line");
        return Answers.of(
                "IDs, all or none up to " + Order.LARGEST_COLLECTED
                        + "; more of them are streamed, and cut off where they cannot be finished",
                new Content()
                        .addMediaType(Media.TEXT.mediaType(), Answers.media(lines, List.of(textExample())))
                        .addMediaType(Media.JSON.mediaType(), Answers.media(json(), jsonExamples()))
                        .addMediaType(Media.NDJSON.mediaType(), Answers.media(strings, List.of())));
    }

    private Shown textExample() {
        return new Shown("one", one() + "\n");
    }

    private String one() {
        return examples.some(1).get(0).toString();
    }

    private List<Shown> jsonExamples() {
        List<Shown> shown = new ArrayList<>();
        shown.add(new Shown("one", inOrder(Map.entry("id", one()))));
        List<String> some = texts(examples.some(SOME));
        shown.add(new Shown("some", inOrder(Map.entry(COUNT, SOME), Map.entry(IDS, some))));
        inputs.grouped().ifPresent(variant -> {
            List<String> together = texts(examples.some(SOME, variant));
            shown.add(new Shown(
                    TRANSACTION,
                    inOrder(
                            Map.entry(TRANSACTION, together.get(0)),
                            Map.entry(COUNT, SOME),
                            Map.entry(IDS, together.subList(1, together.size())))));
        });
        return shown;
    }

    private List<String> texts(List<T> ids) {
        return ids.stream().map(Id::toString).toList();
    }

    @SafeVarargs
    private Map<String, Object> inOrder(Map.Entry<String, ?>... entries) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(SCHEME, scheme.name());
        for (Map.Entry<String, ?> entry : entries) {
            all.put(entry.getKey(), entry.getValue());
        }
        return all;
    }

    private JsonSchema json() {
        Map<String, JsonSchema> list = new LinkedHashMap<>();
        list.put(SCHEME, Schemas.exactly(scheme.name()));
        list.put(COUNT, inputs.count());
        list.put(IDS, Schemas.listOf(Schemas.named(textName())));
        Map<String, JsonSchema> single = new LinkedHashMap<>();
        single.put(SCHEME, Schemas.exactly(scheme.name()));
        single.put("id", Schemas.named(textName()));

        JsonSchema either = new JsonSchema();
        either.addOneOfItem(Schemas.object(single));
        either.addOneOfItem(Schemas.object(list));
        if (inputs.grouped().isPresent()) {
            Map<String, JsonSchema> transaction = new LinkedHashMap<>(list);
            transaction.put(TRANSACTION, Schemas.named(textName()));
            either.addOneOfItem(Schemas.object(transaction));
        }
        return either;
    }

    private String textName() {
        return scheme.name() + "-text";
    }

    private JsonSchema text() {
        List<Form<T>> forms = Forms.all(scheme);
        JsonSchema text = Schemas.typed("string");
        text.setDescription("An ID of " + scheme.name() + " in the form that was asked for; canonical text is "
                + scheme.type().textPattern());
        text.setMinLength(forms.stream().mapToInt(Form::shortest).min().orElseThrow());
        text.setMaxLength(forms.stream().mapToInt(Form::longest).max().orElseThrow());
        return text;
    }
}
